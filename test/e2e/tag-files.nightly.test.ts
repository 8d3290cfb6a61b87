/** A tag leads to its files: from the tags screen, a row, a card and the details. */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { tagFiles } from '../../src/api/tags.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildRole,
  buildTag,
  buildUser,
  userRolePermissions,
} from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, listedNames, phone, row, tablet } from './browser.ts'
import { panel } from './details-panel.ts'
import { itemOf } from './list-items.ts'
import { browser, openSite, server } from './site.ts'

openSite()

/** Builds a user with the tag 'Press' on a file in Home and on one in a folder, and a file without it. */
async function buildTagged(role?: string): Promise<BuiltUser> {
  const user = await buildUser(server, { role })
  const folder = await buildFolder(user, 'Docs')
  const inner = await buildFile(user, { name: 'inner.txt', parent_id: folder.id })
  const outer = await buildFile(user, { name: 'outer.txt' })
  await buildFile(user, { name: 'plain.txt' })
  const tag = await buildTag(user, 'Press')
  await user.call(tagFiles, { tag_id: tag.id, file_ids: [inner.id, outer.id] })
  return user
}

const link = (page: Page, name = 'Press') => page.getByRole('link', { name: `Files with the tag ${name}`, exact: true })

async function showsTagged(page: Page): Promise<void> {
  await page.getByText('Found 2 files with the tag "Press"').waitFor()
  await expect.poll(() => listedNames(page)).toEqual(['outer.txt', 'inner.txt'])
}

test.each([
  ['a new tag, with few tags', 8, 'New tag'],
  ['the filter, with many', 9, 'Filter tags'],
])('the dialog of tags begins in the field of %s', async (_which, count, field) => {
  const user = await buildUser(server)
  await buildFile(user, { name: 'a.txt' })
  for (let index = 0; index < count; index += 1) await buildTag(user, `Tag ${index}`)
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').click()
  await page.keyboard.press('t')
  const dialog = page.getByRole('dialog', { name: 'Manage Tags' })
  await dialog.getByRole('checkbox', { name: 'Tag 0' }).waitFor()
  await expect.poll(() => dialog.getByLabel(field).evaluate(element => element === document.activeElement)).toBe(true)
})

describe('on the tags screen', () => {
  test.each([
    ['a click anywhere on its row', desktop, (page: Page) => row(page, 'Press').click({ position: { x: 500, y: 18 } })],
    ['Enter', desktop, (page: Page) => link(page).press('Enter')],
    ['a tap', phone, (page: Page) => row(page, 'Press').tap({ position: { x: 60, y: 40 } })],
  ])('%s shows the files that have the tag', async (_way, device, act) => {
    const user = await buildTagged()
    const { page, offences } = await browser.open(device)
    await enter(page, user, '/tags')
    await act(page)
    await showsTagged(page)
    await page.goBack()
    await row(page, 'Press').waitFor()
    expect(offences).toEqual([])
  })

  test('a tag on no file says so, and editing one does not leave the screen', async () => {
    const user = await buildUser(server)
    await buildTag(user, 'New')
    const { page } = await browser.open()
    await enter(page, user, '/tags')
    await row(page, 'New').hover()
    await page.getByRole('button', { name: 'Edit New' }).click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await link(page, 'New').click()
    await page.getByText('No files have the tag "New"').waitFor()
    await page.getByRole('heading', { name: 'No files have this tag' }).waitFor()
  })

  test('a user who may not search sees the tags without links', async () => {
    const role = await buildRole(
      server,
      userRolePermissions.filter(permission => permission !== 'files:search'),
    )
    const user = await buildTagged(role)
    const { page } = await browser.open()
    await enter(page, user, '/tags')
    await row(page, 'Press').getByText('2').waitFor()
    expect(await link(page).count()).toBe(0)
    await page.goto('/files')
    await row(page, 'outer.txt').getByText('Press').waitFor()
    expect(await link(page).count()).toBe(0)
  })
})

describe('in a list', () => {
  test('a click on a chip shows the files that have the tag, and further tags lead on from there', async () => {
    const user = await buildTagged()
    const other = await buildTag(user, 'Final')
    const file = await buildFile(user, { name: 'both.txt' })
    await user.call(tagFiles, { tag_id: other.id, file_ids: [file.id] })
    const { page, offences } = await browser.open()
    await enter(page, user)
    await link(page).click()
    await showsTagged(page)
    // The box keeps out of the way: a focus in it would send the arrow keys there.
    await page.keyboard.press('ArrowDown')
    await expect.poll(() => itemOf(page, 'outer.txt').evaluate(item => item === document.activeElement)).toBe(true)
    await page.getByRole('searchbox').fill('inner')
    await page.getByText('Found 1 result for "inner"').waitFor()
    await page.getByRole('searchbox').fill('')
    await showsTagged(page)
    await page.getByRole('button', { name: 'Filters, 1 in force' }).click()
    await page.getByRole('combobox', { name: 'Tag' }).selectOption('Final')
    await page.getByText('Found 1 file with the tag "Final"').waitFor()
    expect(offences).toEqual([])
  })

  test('Tab goes from the row to its chip, and Enter follows it', async () => {
    const user = await buildTagged()
    const { page } = await browser.open()
    await enter(page, user)
    // The middle of the row may be its chip, which a click would follow.
    await row(page, 'outer.txt').click({ position: { x: 120, y: 18 } })
    await itemOf(page, 'outer.txt').focus()
    await expect.poll(() => link(page).getAttribute('tabindex')).toBe('0')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(() => link(page).evaluate(chip => chip === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await showsTagged(page)
  })

  test('while items are selected, or with Ctrl, a click on a chip selects', async () => {
    const user = await buildTagged()
    const { page } = await browser.open()
    await enter(page, user)
    await link(page).click({ modifiers: ['Control'] })
    await expect.poll(() => row(page, 'outer.txt').getAttribute('aria-selected')).toBe('true')
    await link(page).click()
    await expect.poll(() => row(page, 'outer.txt').getAttribute('aria-selected')).toBe('false')
    expect(new URL(page.url()).pathname).toBe('/files')
  })

  test('a tap on a chip of a tablet shows the files that have the tag', async () => {
    const user = await buildTagged()
    const { page } = await browser.open(tablet)
    await enter(page, user)
    await link(page).tap()
    await showsTagged(page)
  })

  test('the dot on a card of the grid shows the files that have the tag', async () => {
    const user = await buildTagged()
    const { page } = await browser.open()
    await enter(page, user)
    await page.getByRole('button', { name: 'Grid view' }).click()
    await link(page).click()
    await showsTagged(page)
  })
})

describe('in the details', () => {
  test.each([
    ['desktop', desktop],
    ['phone', phone],
  ] as const)('a tag shows the files that have it, on a %s', async (kind, device) => {
    const user = await buildTagged()
    const { page, offences } = await browser.open(device)
    await enter(page, user)
    await page.getByRole('button', { name: 'More actions for outer.txt' }).click()
    await page.getByRole(kind === 'phone' ? 'button' : 'menuitem', { name: 'Details' }).click()
    const tag = panel(page).getByRole('link', { name: 'Files with the tag Press' })
    await tag.waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await tag.click()
    await showsTagged(page)
    await row(page, 'outer.txt').click({ trial: true })
    expect(offences).toEqual([])
  })

  test('a tag in the details of the preview closes the preview and shows its files', async () => {
    const user = await buildTagged()
    const { page } = await browser.open()
    await enter(page, user)
    await row(page, 'outer.txt').dblclick()
    await page.getByRole('dialog').getByRole('button', { name: 'Details' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Files with the tag Press' }).click()
    await showsTagged(page)
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  })
})

test.each([
  ['desktop', desktop],
  ['phone', phone],
] as const)('the files with a tag have no accessibility barriers on a %s', async (_kind, device) => {
  const user = await buildTagged()
  const { page } = await browser.open(device)
  await enter(page, user, '/tags')
  await link(page).waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  await link(page).click()
  await showsTagged(page)
  expect(await findBarriersInBothThemes(page)).toEqual([])
})
