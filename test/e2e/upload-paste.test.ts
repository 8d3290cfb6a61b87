/** Files and pictures from the clipboard, and unusual file names. */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { dropFiles, tray, uploadRow } from './uploading.ts'

openSite()

/** Pastes a file into the focused element; resolves to whether the page took it. */
const paste = (page: Page, name: string, type: string): Promise<boolean> =>
  page.evaluate(
    ([name = '', type = '']) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(['bytes'], name, { type }))
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
      return !(document.activeElement ?? document.body).dispatchEvent(event)
    },
    [name, type],
  )

const namesOf = async (user: BuiltUser): Promise<string[]> =>
  (await user.call(listFiles, {})).files.map(({ name }) => name).sort()

test('pasted files keep their names, and a copied picture is named after the current time', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await page.getByText('This folder is empty').waitFor()
  expect(await paste(page, 'copied.txt', 'text/plain')).toBe(true)
  await row(page, 'copied.txt').waitFor()
  expect(await paste(page, 'image.png', 'image/png')).toBe(true)
  await tray(page)
    .getByRole('group', { name: /^Pasted image \d{4}-\d\d-\d\d at \d\d\.\d\d\.\d\d\.png$/ })
    .waitFor()
  await expect.poll(() => namesOf(user)).toEqual([expect.stringMatching(/^Pasted image .*\.png$/), 'copied.txt'])
  expect(offences).toEqual([])
})

test('a paste into a text field of a dialog uploads nothing', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  await page.getByRole('button', { name: 'New Folder' }).first().click()
  await page.getByRole('textbox', { name: 'Folder Name' }).focus()
  expect(await paste(page, 'copied.txt', 'text/plain')).toBe(false)
  await expect.poll(() => namesOf(user)).toEqual([])
})

test('empty files with names of any script and length are uploaded under these names', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  await page.getByText('This folder is empty').waitFor()
  const names = [
    `${'n'.repeat(246)}.txt`,
    'تقرير نهائي – النسخة العربية.txt',
    '👩‍👩‍👧 🎄.txt',
    '<img src=x onerror=alert(1)>.txt',
    'Überweisung 100 % "neu".txt',
  ]
  await dropFiles(
    page,
    names.map(name => [name, 0] as const),
  )
  await uploadRow(page, names[0] ?? '').waitFor()
  await tray(page).waitFor({ state: 'detached' })
  await expect.poll(() => namesOf(user)).toEqual(names.toSorted())
})
