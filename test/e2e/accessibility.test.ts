/**
 * Every section of the product has a title and accessible names, loads from this server alone, and stands still for
 * users who ask for less motion. The tests of each screen check its states with all of axe's rules; this file checks
 * the states that no other test opens.
 */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildFolder,
  buildTag,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { findBarriersInBothThemes, findNameless } from './accessible.ts'
import { desktop, enter, phone, row, type TestPage } from './browser.ts'
import { browser, openSite, server } from './site.ts'

let admin: BuiltUser
/** A wide window and a phone. Each signs in once for all tests. */
let wide: TestPage
let narrow: TestPage
const place: Record<string, number> = {}

openSite()

beforeAll(async () => {
  admin = await buildUser(server, { role: 'admin' })
  const other = await buildUser(server)
  const folder = await buildFolder(admin, 'Papers')
  const file = await buildFile(admin, { name: 'notes.txt', parent_id: folder.id }, 'a note')
  const picture = await buildFile(admin, { name: 'picture.png' }, await drawImage(300, 200).as('png'))
  const { id } = await buildTag(admin, 'Important', '#F59E0B')
  await admin.call(tagFiles, { tag_id: id, file_ids: [file.id, picture.id] })
  await admin.raw(`/api/files/${picture.id}/favorite`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"is_favorite":true}',
  })
  await admin.call(trashFile, { id: (await buildFile(admin, { name: 'old.txt' })).id })
  await buildField(admin, { label: 'Photographer' })
  await turnSettings(admin, { validation_enabled: true })
  await buildFile(other, { name: 'waits.png' }, await drawImage(30, 20).as('png'))
  Object.assign(place, { folder: folder.id, file: file.id, picture: picture.id })
  wide = await browser.openLasting(desktop)
  narrow = await browser.openLasting(phone)
  for (const { page } of [wide, narrow]) {
    // A request to another server is aborted, and so it is reported as an offence.
    await page.route(isElsewhere, route => route.abort())
    await enter(page, admin)
  }
})

const isElsewhere = ({ origin, protocol }: URL) => protocol.startsWith('http') && origin !== server.url

/** Goes to an address, and waits until the network is idle. */
async function goTo(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('main').waitFor()
  await page.waitForLoadState('networkidle')
}

const sections: [name: string, path: () => string, title: string][] = [
  ['the root', () => '/files', 'Home'],
  ['a folder', () => `/files/${place.folder}`, 'Papers'],
  ['a search', () => '/search?q=notes', 'Search Results'],
  ['a search without results', () => '/search?q=nothing+like+it', 'Search Results'],
  ['the team folders', () => '/team-folders', 'Team folders'],
  ['what is shared', () => '/shared', 'Shared'],
  ['the favorites', () => '/favorites', 'Favorites'],
  ['the trash', () => '/trash', 'Trash'],
  ['the overview', () => '/overview', 'Overview'],
  ['the API keys', () => '/api-keys', 'API Keys'],
  ["the API keys' documentation", () => '/api-keys/documentation', 'API Keys'],
  ['the tags', () => '/tags', 'Tags'],
  ['the system settings', () => '/settings/system', 'Settings'],
  ['the metadata fields', () => '/settings/metadata', 'Settings'],
  ['the users', () => '/settings/users', 'Settings'],
  ['the roles', () => '/settings/roles', 'Settings'],
  ['the audit log', () => '/settings/audit', 'Settings'],
  ['the validation queue', () => '/validation', 'Validation Queue'],
  ['the account', () => '/account', 'Account'],
  ['the full-page viewer', () => `/view/${place.picture}`, 'picture.png'],
  ['the fallback page', () => '/nowhere', 'Not found'],
]

/** Sections that no other test checks with all of axe's rules in both themes. */
const withoutOwnTest = ['a folder', 'a search without results', 'the account', 'the full-page viewer']

test.each(sections)('%s has its title and no accessibility barriers', async (name, path, title) => {
  const { page, offences } = wide
  await goTo(page, path())
  await expect.poll(() => page.title()).toBe(`${title} · filestore`)
  const find = withoutOwnTest.includes(name) ? findBarriersInBothThemes : findNameless
  expect(await find(page)).toEqual([])
  expect(offences).toEqual([])
})

const withOwnLayout = [
  '/files',
  '/team-folders',
  '/shared',
  '/favorites',
  '/trash',
  '/api-keys',
  '/settings/users',
  '/validation',
]

test.each(withOwnLayout)('%s names every control on a phone and is no wider than the screen', async path => {
  const { page, offences } = narrow
  await goTo(page, path)
  expect(await findNameless(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.viewport?.width)
  expect(offences).toEqual([])
})

test('the form of a new folder has no accessibility barriers in either theme', async () => {
  const { page, offences } = wide
  await goTo(page, '/files')
  await page.getByRole('button', { name: 'New Folder' }).first().click()
  await page.getByRole('dialog').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(offences).toEqual([])
})

test('a dialog opens without a transition for a user who asks for less motion', async () => {
  const { page } = await browser.open({ reducedMotion: 'reduce' })
  await enter(page, admin, '/files')
  await row(page, 'picture.png').waitFor()
  await page.getByRole('button', { name: 'New Folder' }).first().click()
  await page.getByRole('dialog').waitFor()
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(animation => animation instanceof CSSTransition && /transform|opacity/.test(animation.transitionProperty))
      .map(animation => String((animation.effect as KeyframeEffect).target?.className)),
  )
  expect(moving).toEqual([])
})

test('a dialog whose code is already loaded opens within three frames of the click', async () => {
  const { page } = await browser.open({ reducedMotion: 'reduce' })
  await enter(page, admin, '/files')
  await page.waitForLoadState('networkidle')
  const button = page.getByRole('button', { name: 'New Folder' }).first()
  const isThere = await button.evaluate(async (element: HTMLElement) => {
    element.click()
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    return document.querySelector('[role=dialog]') !== null
  })
  expect(isThere).toBe(true)
})
