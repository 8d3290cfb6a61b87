/** Tags: the screen that creates, changes and deletes them, and the dialog that assigns them to files. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { listFileTags, listTags, tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildTag, buildUser } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const dialog = (page: Page) => page.getByRole('dialog')
const namesOf = async (user: BuiltUser) => (await user.call(listTags, {})).tags.map(({ name }) => name)
const tagsOf = async (user: BuiltUser, id: number) =>
  (await user.call(listFileTags, { id })).tags.map(({ name }) => name)

/** Makes a request fail without an answer from the server. */
const failing = (page: Page, path: RegExp, method: string) =>
  page.route(path, route => (route.request().method() === method ? route.abort() : route.fallback()))

describe('the tags screen', () => {
  test('shows a hint while there are no tags, and creates one with a name and a colour', async () => {
    const user = await buildUser(server)
    const { page, offences } = await browser.open()
    await enter(page, user, '/tags')
    await page.getByText('No tags yet').waitFor()
    await page.getByRole('button', { name: 'New Tag' }).click()
    const create = dialog(page).getByRole('button', { name: 'Create Tag' })
    await expect.poll(() => create.isDisabled()).toBe(true)
    await expect.poll(() => dialog(page).getByRole('radio').count()).toBe(12)
    await dialog(page).getByLabel('Name').fill('  Press  ')
    await dialog(page).getByLabel('Color as #RRGGBB').fill('#12345')
    await expect.poll(() => create.isDisabled()).toBe(true)
    await dialog(page).getByLabel('Color as #RRGGBB').fill('#123abc')
    await create.click()
    await row(page, 'Press').waitFor()
    expect((await user.call(listTags, {})).tags).toEqual([expect.objectContaining({ name: 'Press', color: '#123ABC' })])
    expect(await page.getByText('No tags yet').isVisible()).toBe(false)
    expect(offences).toEqual([])
  })

  test('changes a tag, keeps what was typed when that fails, and deletes it after a confirmation', async () => {
    const user = await buildUser(server)
    const file = await buildFile(user)
    const tag = await buildTag(user, 'Draft')
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [file.id] })
    const { page } = await browser.open()
    await enter(page, user, '/tags')
    await failing(page, /\/api\/tags\/\d+$/, 'PUT')
    await row(page, 'Draft').hover()
    await page.getByRole('button', { name: 'Edit Draft' }).click()
    await dialog(page).getByText('Edit Tag').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await dialog(page).getByLabel('Name').fill('Final')
    await dialog(page).getByRole('radio', { name: 'Green' }).check()
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await dialog(page).getByText('Failed to update tag').waitFor()
    await expect.poll(() => dialog(page).getByLabel('Name').inputValue()).toBe('Final')
    await page.unroute(/\/api\/tags\/\d+$/)
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await row(page, 'Final').waitFor()

    await failing(page, /\/api\/tags\/\d+$/, 'DELETE')
    await row(page, 'Final').hover()
    await page.getByRole('button', { name: 'Delete Final' }).click()
    await dialog(page).getByText('Final will be taken off 1 file; the file itself stays.').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByText('Failed to delete tag').waitFor()
    await page.unroute(/\/api\/tags\/\d+$/)
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No tags yet').waitFor()
    await expect.poll(() => namesOf(user)).toEqual([])
  })

  test('moves the focus to New Tag after a deletion', async () => {
    const user = await buildUser(server)
    await buildTag(user, 'Gone')
    const { page } = await browser.open()
    await enter(page, user, '/tags')
    await row(page, 'Gone').hover()
    await page.getByRole('button', { name: 'Delete Gone' }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await row(page, 'Gone').waitFor({ state: 'detached' })
    await dialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('New Tag')
  })

  test('shows errors for a taken name, a failed creation and a failed load', async () => {
    const user = await buildUser(server)
    await buildTag(user, 'Press')
    const { page } = await browser.open()
    await page.route(/\/api\/tags$/, route => route.abort())
    await enter(page, user, '/tags')
    await page.getByRole('alert').getByText('Failed to fetch tags').waitFor()
    await page.unroute(/\/api\/tags$/)
    await page.getByRole('button', { name: 'Retry' }).click()
    await row(page, 'Press').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)

    await page.getByRole('button', { name: 'New Tag' }).click()
    await dialog(page).getByLabel('Name').fill('Press')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('taken').waitFor()
    await failing(page, /\/api\/tags$/, 'POST')
    await dialog(page).getByLabel('Name').fill('Other')
    await page.keyboard.press('Enter')
    await dialog(page).getByText('Failed to create tag').waitFor()
  })

  test('draws only the tags in view of a thousand', async () => {
    const user = await buildUser(server)
    const tags = Array.from({ length: 1000 }, (_, id) => ({ id, name: `tag ${id}`, color: '#3B82F6', file_count: id }))
    const { page } = await browser.open()
    await page.route(/\/api\/tags$/, route => route.fulfill({ json: { success: true, message: '', data: { tags } } }))
    await enter(page, user, '/tags')
    await row(page, 'tag 0').waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(100)
  })
})

describe('the tag manager', () => {
  /** Builds three files. All have the tag 'All', and only the first has 'Some'. */
  async function buildTagged() {
    const user = await buildUser(server)
    const files = [
      await buildFile(user, { name: 'a.txt' }),
      await buildFile(user, { name: 'b.txt' }),
      await buildFile(user, { name: 'c.txt' }),
    ] as const
    const ids = files.map(({ id }) => id)
    const all = await buildTag(user, 'All')
    const some = await buildTag(user, 'Some')
    await user.call(tagFiles, { tag_id: all.id, file_ids: ids })
    await user.call(tagFiles, { tag_id: some.id, file_ids: [files[0].id] })
    return { user, ids: [files[0].id, files[1].id, files[2].id] as const }
  }

  async function openFor(page: Page, name: string): Promise<void> {
    await row(page, name).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Manage Tags' }).click()
    await dialog(page).waitFor()
  }

  test('begins with the name of a new tag where there are none', async () => {
    const user = await buildUser(server)
    await buildFile(user, { name: 'a.txt' })
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'a.txt').click()
    await page.keyboard.press('t')
    const name = dialog(page).getByLabel('New tag')
    await expect.poll(() => name.evaluate(element => element === document.activeElement)).toBe(true)
    await page.keyboard.type('Tax 2025')
    expect(await name.inputValue()).toBe('Tax 2025')
  })

  test('shows which tags all or some of the selected files have, and sends only the changes', async () => {
    const { user, ids } = await buildTagged()
    const { page, offences } = await browser.open()
    await enter(page, user)
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await row(page, name).click({ modifiers: ['Control'] })
    await page.getByRole('button', { name: 'Tag', exact: true }).click()
    const some = dialog(page).getByRole('checkbox', { name: 'Some' })
    await some.waitFor()
    expect(await some.evaluate(box => (box as HTMLInputElement).indeterminate)).toBe(true)
    await expect.poll(() => dialog(page).getByRole('checkbox', { name: 'All, on all 3' }).isChecked()).toBe(true)
    await dialog(page).getByText('on 1 of 3').waitFor()
    const sent: unknown[] = []
    page.on('request', request => {
      if (request.url().endsWith('/files/batch')) sent.push(request.postDataJSON())
    })
    await some.click()
    await dialog(page).getByText('add to 2').waitFor()
    await some.click()
    await dialog(page).getByText('take off 1').waitFor()
    await some.click()
    await dialog(page).getByText('on 1 of 3').waitFor()
    await some.click()
    await dialog(page).getByRole('checkbox', { name: 'All, on all 3' }).click()
    await dialog(page).getByText('take off 3').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await dialog(page).getByRole('button', { name: 'Apply Tags' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByText('3 items were given their new tags').waitFor()
    expect(sent).toEqual([
      { action: 'untag', ids: [...ids], tag_id: expect.any(Number) },
      { action: 'tag', ids: [ids[1], ids[2]], tag_id: expect.any(Number) },
    ])
    for (const id of ids) await expect.poll(() => tagsOf(user, id)).toEqual(['Some'])
    await row(page, 'c.txt').getByText('Some').waitFor()

    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('3 items were given their old tags').waitFor()
    await expect.poll(() => tagsOf(user, ids[0])).toEqual(['All', 'Some'])
    for (const id of ids.slice(1)) await expect.poll(() => tagsOf(user, id)).toEqual(['All'])
    await row(page, 'c.txt').getByText('Some').waitFor({ state: 'detached' })
    expect(offences).toEqual([])
  })

  test('tags the other selected files when one of them fails, and says why', async () => {
    const { user, ids } = await buildTagged()
    const { page } = await browser.open()
    await enter(page, user)
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await row(page, name).click({ modifiers: ['Control'] })
    await page.keyboard.press('t')
    await dialog(page).getByRole('checkbox', { name: 'Some' }).click()
    await user.call(trashFile, { id: ids[1] })
    await dialog(page).getByRole('button', { name: 'Apply Tags' }).click()
    await page.getByText('c.txt was given its new tags, 1 failed').waitFor()
    await page.getByRole('alert').getByText('Failed to update tags').waitFor()
    await page
      .getByRole('alert')
      .getByText(/^b\.txt: .*not found/i)
      .waitFor()
    await expect.poll(() => tagsOf(user, ids[2])).toEqual(['All', 'Some'])
  })

  test('creates a tag, adds it to the file, and removes another', async () => {
    const { user, ids } = await buildTagged()
    const { page } = await browser.open()
    await enter(page, user)
    await openFor(page, 'a.txt')
    const create = dialog(page).getByRole('button', { name: 'Create' })
    await expect.poll(() => create.isDisabled()).toBe(true)
    await expect.poll(() => dialog(page).getByRole('radio').count()).toBe(8)
    await failing(page, /\/api\/tags$/, 'POST')
    await dialog(page).getByLabel('New tag').fill('Urgent')
    await dialog(page).getByRole('radio', { name: 'Red' }).check()
    await create.click()
    await dialog(page).getByText('Failed to create tag').waitFor()
    await page.unroute(/\/api\/tags$/)
    await create.click()
    const urgent = dialog(page).getByRole('checkbox', { name: 'Urgent' })
    await expect.poll(() => urgent.isChecked()).toBe(true)
    await dialog(page).getByText('Some', { exact: true }).click()
    await dialog(page).getByRole('button', { name: 'Apply Tags' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => tagsOf(user, ids[0])).toEqual(['All', 'Urgent'])
    await expect.poll(() => tagsOf(user, ids[1])).toEqual(['All'])
  })

  test('keeps the choices when a request fails', async () => {
    const { user, ids } = await buildTagged()
    const { page } = await browser.open()
    await enter(page, user)
    await page.route(/\/api\/tags\/tag-files$/, route => route.abort())
    await openFor(page, 'b.txt')
    await dialog(page).getByText('Some', { exact: true }).click()
    await dialog(page).getByRole('button', { name: 'Apply Tags' }).click()
    await dialog(page).getByText('Failed to update tags').waitFor()
    await expect.poll(() => dialog(page).getByRole('checkbox', { name: 'Some' }).isChecked()).toBe(true)
    await page.unroute(/\/api\/tags\/tag-files$/)
    await dialog(page).getByRole('button', { name: 'Apply Tags' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await expect.poll(() => tagsOf(user, ids[1])).toEqual(['All', 'Some'])
  })

  test('shows which of its lists failed to load, and Retry loads each', async () => {
    const { user } = await buildTagged()
    const { page } = await browser.open()
    await enter(page, user)
    await page.route(/\/api\/tags$/, route => route.abort())
    await page.route(/\/api\/files\/\d+\/tags$/, route => route.abort())
    await openFor(page, 'a.txt')
    await dialog(page).getByText('Failed to load tags').waitFor()
    await dialog(page).getByText('Failed to load file tags').waitFor()
    await page.unroute(/\/api\/tags$/)
    await page.unroute(/\/api\/files\/\d+\/tags$/)
    await dialog(page).getByRole('button', { name: 'Retry' }).first().click()
    await dialog(page).getByText('Failed to load file tags').waitFor({ state: 'detached' })
    await dialog(page).getByRole('button', { name: 'Retry' }).click()
    await dialog(page).getByRole('checkbox', { name: 'Some' }).waitFor()
    await dialog(page).getByText('Failed to load tags').waitFor({ state: 'detached' })
  })

  test('filters many tags by part of the name', async () => {
    const user = await buildUser(server)
    await buildFile(user, { name: 'a.txt' })
    for (let n = 0; n < 9; n++) await buildTag(user, n === 7 ? 'Größe' : `tag ${n}`)
    const { page } = await browser.open()
    await enter(page, user)
    await openFor(page, 'a.txt')
    await dialog(page).getByLabel('Filter tags').fill('groß')
    await expect.poll(() => dialog(page).getByRole('checkbox').count()).toBe(1)
    await dialog(page).getByLabel('Filter tags').fill('nothing such')
    await dialog(page).getByText("No tag's name contains “nothing such”.").waitFor()
  })
})
