/** Helpers that the tests of the viewers share. */
import type { Locator, Page } from 'playwright-core'
import { type BuiltUser, buildFile, buildFolder } from '../support/factories.ts'
import { enter, type TestBrowser } from './browser.ts'

/** The preview dialog of a file. */
export const dialog = (page: Page, name: string): Locator => page.getByRole('dialog', { name, exact: true })

export const button = (page: Page, name: string): Locator => page.getByRole('button', { name, exact: true })

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** The zoom on screen, such as `100%`. */
export const zoomOf = (page: Page): Promise<string> => page.getByRole('status', { name: 'Zoom' }).innerText()

/** Opens the preview of a new file that is alone in its folder. */
export async function openAlone(browser: TestBrowser, owner: BuiltUser, name: string, bytes: string | Buffer) {
  const folder = await buildFolder(owner)
  const file = await buildFile(owner, { name, parent_id: folder.id }, bytes)
  const opened = await browser.open()
  await enter(opened.page, owner, `/files/${folder.id}?preview=${file.id}`)
  await dialog(opened.page, name).waitFor()
  return { ...opened, file, folderId: folder.id }
}
