/** Uploads with a name that is taken: the question, its answers, and the uploads that continue meanwhile. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { decideFile } from '../../src/api/validation.ts'
import { type BuiltUser, buildFile, buildUser, turnSettings } from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { chooseFiles, enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { textFile, tray, uploadRow } from './uploading.ts'

openSite()

const question = (page: Page) => page.getByRole('dialog', { name: 'Name already taken' })
const answer = (page: Page, name: string) => question(page).getByRole('button', { name, exact: true }).click()
const sizes = async (user: BuiltUser): Promise<Record<string, number>> =>
  Object.fromEntries((await user.call(listFiles, {})).files.map(({ name, size }) => [name, size]))

test('an upload with a taken name shows both files and asks, and both can be kept', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'notes.txt', modified_at: '2026-11-18T12:00:00Z' }, 'x'.repeat(2048))
  const { page, offences } = await browser.open()
  await enter(page, user)
  await chooseFiles(page, [textFile('notes.txt'), textFile('other.txt')])
  await question(page).getByText('A file named notes.txt is already there.').waitFor()
  await question(page)
    .getByText(/2\.00 KB · 18 Nov 2026/)
    .waitFor()
  await question(page)
    .getByText(/10 Bytes · /)
    .waitFor()
  await expect.poll(() => sizes(user)).toEqual({ 'notes.txt': 2048, 'other.txt': 10 })
  await answer(page, 'Keep both')
  await tray(page).getByText('Completed · saved as notes (1).txt').waitFor()
  await row(page, 'notes (1).txt').waitFor()
  const { files } = await user.call(listFiles, {})
  expect(files.find(({ name }) => name === 'notes (1).txt')?.modified_at).toEqual(expect.any(String))
  expect(offences).toEqual([])
})

test('the same file once more is named as such, and Skip is what Enter does', async context => {
  onlyNightly(context)
  const user = await buildUser(server)
  const { page } = await browser.open()
  await enter(page, user)
  const folder = await mkdtemp(join(tmpdir(), 'filestore-same-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'a.txt'), 'some words')
  await chooseFiles(page, [join(folder, 'a.txt')])
  await row(page, 'a.txt').waitFor()
  await chooseFiles(page, [join(folder, 'a.txt')])
  await question(page).getByText('A file named a.txt is already there, with the same size and date.').waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Skip')
  await page.keyboard.press('Enter')
  await tray(page).waitFor({ state: 'detached' })
  expect(await sizes(user)).toEqual({ 'a.txt': 10 })
})

test('a closed question leaves its upload waiting, Replace stores the new content and Skip keeps the old', async context => {
  onlyNightly(context)
  const user = await buildUser(server)
  await buildFile(user, { name: 'a.txt' }, 'old')
  await buildFile(user, { name: 'b.txt' }, 'old')
  const { page } = await browser.open()
  await enter(page, user)
  await chooseFiles(page, [textFile('a.txt'), textFile('b.txt')])
  await question(page).waitFor()
  await page.keyboard.press('Escape')
  await question(page).waitFor({ state: 'detached' })
  await tray(page).getByRole('heading', { name: '2 files wait for you' }).waitFor()
  await page.getByRole('button', { name: 'Decide a.txt' }).click()
  await answer(page, 'Replace')
  await question(page).getByText('b.txt').waitFor()
  await answer(page, 'Skip')
  await tray(page).waitFor({ state: 'detached' })
  expect(await sizes(user)).toEqual({ 'a.txt': 10, 'b.txt': 3 })
})

test('the question has no accessibility barriers in either theme', async () => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'a.txt' })
  await buildFile(user, { name: 'b.txt' })
  const { page } = await browser.open()
  await enter(page, user)
  await chooseFiles(page, [textFile('a.txt'), textFile('b.txt')])
  await question(page).getByLabel('Do this for the remaining 1 conflict').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await page.keyboard.press('Escape')
  await question(page).waitFor({ state: 'detached' })
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await uploadRow(page, 'a.txt').waitFor()
})

test('the own file of that name that was rejected is to be replaced, and its reason is told', async () => {
  const [admin, user] = [await buildUser(server, { role: 'admin' }), await buildUser(server)]
  await turnSettings(admin, { validation_enabled: true })
  const { id } = await buildFile(user, { name: 'notes.txt' }, 'x'.repeat(2048))
  await admin.call(decideFile, { file_id: id, status: 'rejected', comment: 'Wrong year' })
  await buildFile(user, { name: 'other.txt' }, 'x'.repeat(2048))
  const { page } = await browser.open()
  await enter(page, user)
  await chooseFiles(page, [textFile('other.txt'), textFile('notes.txt')])
  await question(page).getByText('A file named other.txt is already there.').waitFor()
  await answer(page, 'Keep both')
  await question(page).getByText('Your file named notes.txt was rejected.').waitFor()
  await question(page).getByText('Reason: Wrong year').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Replace')
  await page.keyboard.press('Enter')
  await row(page, 'notes.txt').getByText('Pending').waitFor()
  expect(await sizes(user)).toEqual({ 'notes.txt': 10, 'other.txt': 2048, 'other (1).txt': 10 })
  await turnSettings(admin, { validation_enabled: false })
})
