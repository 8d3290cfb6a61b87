/** The metadata dialog before uploads: its questions, what it sends, and what happens when the server refuses. */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { getFile, listFiles } from '../../src/api/files.ts'
import { updateField } from '../../src/api/metadata.ts'
import { type BuiltUser, buildField, buildUser, turnSettings } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { chooseFiles, desktop, enter, phone } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { textFile, tray, uploadRow } from './uploading.ts'

let admin: BuiltUser
let countryId: number

openSite()

beforeAll(async () => {
  admin = await buildUser(server, { role: 'admin' })
  await buildField(admin, { name: 'photographer', label: 'Photographer', is_required: true })
  await buildField(admin, { name: 'release', label: 'Model release', field_type: 'checkbox' })
  countryId = (await buildField(admin, { name: 'country', label: 'Country' })).id
  const off = await buildField(admin, { name: 'disabled', label: 'Disabled field' })
  await admin.call(updateField, { id: off.id, is_enabled: false })
})

const dialog = (page: Page) => page.getByRole('dialog', { name: 'File Metadata' })
const press = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

/** The metadata of every file, by the names of file and field. */
async function stored(user: BuiltUser): Promise<Record<string, Record<string, string>>> {
  const { files } = await user.call(listFiles, {})
  const details = await Promise.all(files.map(({ id }) => user.call(getFile, { id })))
  return Object.fromEntries(
    details.map(({ file }) => [file.name, Object.fromEntries(file.metadata.map(({ name, value }) => [name, value]))]),
  )
}

test('the dialog asks for each file in turn, a cancelled file is dropped, and empty values are not sent', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await chooseFiles(page, [textFile('one.txt'), textFile('two.txt'), textFile('three.txt')])
  await dialog(page).getByText('Please provide metadata for: one.txt').waitFor()
  await dialog(page).getByText('File 1 of 3').waitFor()
  await dialog(page).getByLabel('Apply to all the rest (2 files)').waitFor()
  const isFirst = (input: Element) => input === document.activeElement
  await expect.poll(() => dialog(page).getByLabel('Photographer').evaluate(isFirst)).toBe(true)
  expect(await dialog(page).getByText('Disabled field').count()).toBe(0)
  await press(page, 'Continue Upload')
  await dialog(page).getByText('Photographer is required').waitFor()
  await dialog(page).getByLabel('Photographer').fill('Jana')
  await press(page, 'Continue Upload')
  await dialog(page).getByText('Please provide metadata for: two.txt').waitFor()
  await expect.poll(() => stored(user)).toEqual({ 'one.txt': { photographer: 'Jana' } })
  await press(page, 'Cancel')
  await dialog(page).getByText('Please provide metadata for: three.txt').waitFor()
  await dialog(page).getByText('File 3 of 3').waitFor()
  await dialog(page).getByLabel('Photographer').fill('Łukasz')
  await dialog(page).getByLabel('Model release').check()
  await press(page, 'Continue Upload')
  await tray(page).waitFor({ state: 'detached' })
  expect(await stored(user)).toEqual({
    'one.txt': { photographer: 'Jana' },
    'three.txt': { photographer: 'Łukasz', release: 'true' },
  })
  expect(offences).toEqual([])
})

test("on a phone the labels of the dialog's buttons are not cut off", async () => {
  const user = await buildUser(server)
  const { page } = await browser.open(phone)
  await enter(page, user)
  await chooseFiles(page, [textFile('one.txt')])
  const words = dialog(page).getByRole('button', { name: 'Continue Upload' }).locator('.mantine-Button-label')
  await words.waitFor()
  expect(await words.evaluate(label => label.scrollWidth - label.clientWidth)).toBe(0)
})

test('a click beside the dialog changes nothing, and Undo brings back a file that Escape dropped, with its values', async () => {
  const user = await buildUser(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await chooseFiles(page, [textFile('one.txt'), textFile('two.txt')])
  await dialog(page).getByLabel('Photographer').fill('Jana')
  await page.mouse.click(20, 20)
  await expect.poll(() => dialog(page).getByLabel('Photographer').inputValue()).toBe('Jana')
  await page.keyboard.press('Escape')
  await dialog(page).getByText('Please provide metadata for: two.txt').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await dialog(page).getByLabel('Photographer').fill('Petr')
  await press(page, 'Continue Upload')
  await dialog(page).getByText('Please provide metadata for: one.txt').waitFor()
  await dialog(page).getByText('File 2 of 2').waitFor()
  await expect.poll(() => dialog(page).getByLabel('Photographer').inputValue()).toBe('Jana')
  // Dropping the last file closes the tray, and Undo opens it again.
  await dialog(page).getByRole('button', { name: 'Close' }).click()
  await tray(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Undo' }).click()
  await press(page, 'Continue Upload')
  await expect
    .poll(() => stored(user))
    .toEqual({ 'one.txt': { photographer: 'Jana' }, 'two.txt': { photographer: 'Petr' } })
  expect(offences).toEqual([])
})

test('a refused upload shows the reason on its row, and Retry asks again with what was typed', async () => {
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  await chooseFiles(page, [textFile('late.txt')])
  await dialog(page).getByLabel('Photographer').fill('Jana')
  await turnSettings(admin, { metadata_required_on_upload: true })
  await admin.call(updateField, { id: countryId, is_required: true })
  // The page loaded the fields before this one became required.
  await press(page, 'Continue Upload')
  await uploadRow(page, 'late.txt').getByText('Failed · Country is required').waitFor()
  await page.getByRole('button', { name: 'Retry late.txt' }).click()
  await dialog(page).getByText('Country is required').waitFor()
  await expect.poll(() => dialog(page).getByLabel('Photographer').inputValue()).toBe('Jana')
  await dialog(page).getByLabel('Country').fill('Čechy')
  await press(page, 'Continue Upload')
  await expect.poll(() => stored(user)).toEqual({ 'late.txt': { photographer: 'Jana', country: 'Čechy' } })
  await admin.call(updateField, { id: countryId, is_required: false })
  await turnSettings(admin, { metadata_required_on_upload: false })
})

test.each([
  ['the desktop', desktop],
  ['a phone', phone],
] as const)('the dialog has no accessibility barriers on %s', async (_name, device) => {
  const user = await buildUser(server)
  const { page } = await browser.open(device)
  await enter(page, user)
  await chooseFiles(page, [textFile('one.txt'), textFile('two.txt')])
  await dialog(page).waitFor()
  await press(page, 'Continue Upload')
  await dialog(page).getByText('Photographer is required').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
})
