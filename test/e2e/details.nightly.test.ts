/** The details panel: facts about files and folders, tags, and failures to load them. */
import { beforeAll, describe, expect, test } from 'vitest'
import { favoriteFile, renameFile } from '../../src/api/files.ts'
import { listFileTags, tagFiles } from '../../src/api/tags.ts'
import { decideFile } from '../../src/api/validation.ts'
import { type BuiltUser, buildFile, buildTag, buildUser, turnSettings } from '../support/factories.ts'
import { findBarriers, findBarriersInBothThemes } from './accessible.ts'
import { enter, phone, row } from './browser.ts'
import { buildOwner, fact, openDetails, panel, section } from './details-panel.ts'
import { browser, openSite, server } from './site.ts'
import { holdCalls } from './uploading.ts'

let admin: BuiltUser

openSite()

beforeAll(async () => {
  admin = await buildUser(server, { role: 'admin' })
})

describe('the details panel shows', () => {
  test('the facts of a file, the contents of a folder, and the number and size of several items', async () => {
    const owned = await buildOwner(server)
    const { page, offences } = await browser.open()
    await openDetails(page, owned)
    await panel(page).getByText('0 folders, 2 files').waitFor()

    await row(page, 'green.png').click()
    await panel(page).getByText('Image · ').waitFor()
    await expect.poll(() => fact(page, 'Path').textContent()).toBe('/Photos')
    await expect.poll(() => fact(page, 'File date').textContent()).toMatch(/^04 Mar 2026, /)
    await expect.poll(() => fact(page, 'Added').textContent()).toMatch(/ by you$/)
    const sha256 = owned.file.sha256 ?? ''
    await panel(page)
      .getByText(`${sha256.slice(0, 8)}…${sha256.slice(-7)}`)
      .waitFor()
    await expect.poll(() => fact(page, 'Checksum').getAttribute('title')).toBe(`SHA-256 ${sha256}`)

    await row(page, 'green.png').click({ modifiers: ['Control'] })
    await row(page, 'notes.txt').click({ modifiers: ['Control'] })
    await panel(page).getByText('2 items').waitFor()
    await panel(page)
      .getByText(/^0 folders, 2 files · 2\.\d\d KB$/)
      .waitFor()
    await panel(page).getByRole('button', { name: 'Manage Tags' }).click()
    await page.getByRole('dialog').getByText('2 files').waitFor()
    expect(offences).toEqual([])
  })

  test('a placeholder that can be closed while its code loads', async () => {
    const owned = await buildOwner(server)
    const { page } = await browser.open()
    const letGo = await holdCalls(page, '**/details-panel-*.js')
    await enter(page, owned.user, `/files/${owned.folderId}`)
    await page.getByRole('button', { name: 'Show details' }).click()
    const waiting = panel(page).getByRole('status', { name: 'Loading' })
    await waiting.waitFor()
    await page.getByRole('button', { name: 'Close details' }).click()
    await panel(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Show details' }).click()
    await waiting.waitFor()
    letGo()
    await panel(page).getByText('0 folders, 2 files').waitFor()
    expect(await waiting.count()).toBe(0)
  })

  test('the comment of the reviewer who rejected a file', async () => {
    const owned = await buildOwner(server)
    await turnSettings(admin, { validation_enabled: true })
    try {
      const held = await buildFile(owned.user, { name: 'held.txt', parent_id: owned.folderId })
      await admin.call(decideFile, { file_id: held.id, status: 'rejected', comment: 'Wrong year' })
    } finally {
      await turnSettings(admin, { validation_enabled: false })
    }
    const { page } = await browser.open()
    await openDetails(page, owned)
    await row(page, 'held.txt').click()
    await fact(page, 'Status').getByText('Rejected').waitFor()
    await fact(page, 'Status').getByText('Wrong year').waitFor()
    await section(page, 'Activity').getByText(`${admin.username} rejected it: Wrong year`).waitFor()
  })

  test('recent actions in plain words, and older ones after Show more', async () => {
    const owned = await buildOwner(server)
    const { id } = owned.file
    await owned.user.call(renameFile, { id, name: 'blue.png' })
    await owned.user.call(renameFile, { id, name: 'green.png' })
    for (let n = 0; n < 8; n++) await owned.user.call(favoriteFile, { id, is_favorite: n % 2 === 0 })
    const { page } = await browser.open()
    await openDetails(page, owned)
    await row(page, 'green.png').click()
    const activity = section(page, 'Activity')
    await activity.getByText('You removed it from favorites').first().waitFor()
    expect(await activity.getByText('You renamed it from').count()).toBe(0)
    await activity.getByRole('button', { name: 'Show more' }).click()
    await activity.getByText('You renamed it from green.png').waitFor()
    await activity.getByText('You uploaded it').waitFor()
    expect(await activity.getByRole('button', { name: 'Show more' }).count()).toBe(0)
    await expect
      .poll(() => activity.getByRole('time').first().getAttribute('title'))
      .toMatch(/^\d\d \w{3} \d{4}, \d\d:\d\d$/)
  })
})

test('the details panel stars and renames a file', async () => {
  const owned = await buildOwner(server)
  const { page } = await browser.open()
  await openDetails(page, owned)
  await row(page, 'green.png').click()
  await panel(page).getByRole('button', { name: 'Add to favorites' }).click()
  await panel(page).getByRole('button', { name: 'Remove from favorites' }).waitFor()
  await panel(page).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await panel(page).getByLabel('New name for green.png').fill('blue.png')
  await page.keyboard.press('Enter')
  await row(page, 'blue.png').waitFor()
  await panel(page).getByText('blue.png').first().waitFor()
})

describe('tags in the details panel', () => {
  test('the cross removes a tag, and the tag comes back when the server refuses', async () => {
    const owned = await buildOwner(server)
    const { id } = owned.file
    const tag = await buildTag(owned.user, 'Press')
    await owned.user.call(tagFiles, { tag_id: tag.id, file_ids: [id] })
    const { page } = await browser.open()
    await openDetails(page, owned)
    await row(page, 'green.png').click()
    await page.route(/\/untag-files$/, route => route.abort())
    await section(page, 'Tags').getByRole('button', { name: 'Remove tag Press' }).click()
    await page.getByText('Failed to update tags').waitFor()
    await section(page, 'Tags').getByText('Press').waitFor()
    await page.unroute(/\/untag-files$/)
    await section(page, 'Tags').getByRole('button', { name: 'Remove tag Press' }).click()
    await section(page, 'Tags').getByText('Press').waitFor({ state: 'detached' })
    await expect.poll(async () => (await owned.user.call(listFileTags, { id })).tags).toEqual([])
    await section(page, 'Tags').getByRole('button', { name: 'Add tags' }).click()
    await page.getByRole('dialog').getByText('Manage Tags').waitFor()
  })
})

test('each part that fails to load shows its own error and Retry', async () => {
  const owned = await buildOwner(server)
  const { page } = await browser.open()
  const api = new RegExp(`/api/files/${owned.file.id}(/events.*)?$`)
  await page.route(api, route => route.abort())
  await openDetails(page, owned)
  await row(page, 'green.png').click()
  await panel(page).getByText('Failed to load details').waitFor()
  await section(page, 'Activity').getByText('Failed to load activity').waitFor()
  await page.unroute(api)
  await section(page, 'Activity').getByRole('button', { name: 'Retry' }).click()
  await section(page, 'Activity').getByText('You uploaded it').waitFor()
  await panel(page).getByRole('button', { name: 'Retry' }).click()
  await panel(page).getByText('Checksum').waitFor()
})

test('Escape closes the details panel when the focus is inside', async () => {
  const owned = await buildOwner(server)
  const { page } = await browser.open()
  await openDetails(page, owned)
  await panel(page).getByRole('button', { name: 'Close details' }).focus()
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'detached' })
})

test('Escape in the menu of the details panel closes the menu alone', async () => {
  const owned = await buildOwner(server)
  const { page } = await browser.open()
  await openDetails(page, owned)
  await row(page, 'notes.txt').click()
  const more = panel(page).getByRole('button', { name: 'More actions' })
  await more.click()
  const menu = page.getByRole('menu', { name: 'Actions for notes.txt' })
  await expect.poll(() => menu.evaluate(element => element.contains(document.activeElement))).toBe(true)
  await page.keyboard.press('Escape')
  await menu.waitFor({ state: 'detached' })
  await expect.poll(() => more.evaluate(element => element === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'detached' })
})

test('on a phone the details panel fills the screen, takes the focus and has no accessibility barriers', async () => {
  const owned = await buildOwner(server)
  const { page, offences } = await browser.open(phone)
  await enter(page, owned.user, `/files/${owned.folderId}`)
  await page.getByRole('button', { name: 'More actions for green.png' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Details' }).click()
  await section(page, 'Activity').getByText('You uploaded it').waitFor()
  await expect.poll(() => panel(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Close details')
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'detached' })
  expect(offences).toEqual([])
})

describe('the details panel in both themes', () => {
  test('has no accessibility barriers for one file', async () => {
    const owned = await buildOwner(server)
    const tag = await buildTag(owned.user, 'Press')
    await owned.user.call(tagFiles, { tag_id: tag.id, file_ids: [owned.file.id] })
    const { page } = await browser.open()
    await openDetails(page, owned)
    await row(page, 'green.png').click()
    await section(page, 'Activity').getByText('You uploaded it').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await panel(page).getByRole('button', { name: 'More actions', exact: true }).click()
    await panel(page).getByRole('menu').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
  })

  test('has no accessibility barriers for several items', async () => {
    const owned = await buildOwner(server)
    const { page } = await browser.open()
    await openDetails(page, owned)
    await row(page, 'green.png').click({ modifiers: ['Control'] })
    await row(page, 'notes.txt').click({ modifiers: ['Control'] })
    await panel(page).getByText('2 items').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
  })
})
