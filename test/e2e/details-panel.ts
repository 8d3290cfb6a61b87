/** Opens the details panel for tests, and finds its parts. */
import type { Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import type { FileDetails } from '../../src/api/items.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import type { TestServer } from '../support/test-server.ts'
import { enter, row } from './browser.ts'

export interface Owned {
  user: BuiltUser
  /** The picture `green.png` in the folder, which also holds `notes.txt`. */
  file: FileDetails
  folderId: number
}

/** Builds a user with a folder that holds a picture and a text of 2,048 bytes. */
export async function buildOwner(server: TestServer): Promise<Owned> {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Photos')
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#264' } })
    .png()
    .toBuffer()
  const form = { name: 'green.png', parent_id: folder.id, modified_at: '2026-03-04T05:06:07.000Z' }
  const file = await buildFile(user, form, picture)
  await buildFile(user, { name: 'notes.txt', parent_id: folder.id }, 'x'.repeat(2048))
  return { user, file, folderId: folder.id }
}

/** Signs in, opens the folder and shows the details panel. */
export async function openDetails(page: Page, { user, folderId }: Owned): Promise<void> {
  await enter(page, user, `/files/${folderId}`)
  await row(page, 'green.png').waitFor()
  await page.getByRole('button', { name: 'Show details' }).click()
  await panel(page).getByRole('heading', { name: 'Details' }).waitFor()
}

export const panel = (page: Page): Locator => page.getByRole('complementary', { name: 'Details' })

export const section = (page: Page, name: string): Locator => panel(page).getByRole('region', { name })

/** The value beside a label. */
export const fact = (page: Page, label: string): Locator =>
  panel(page).getByRole('term').getByText(label, { exact: true }).locator('xpath=../dd')
