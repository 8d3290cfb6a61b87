/** Moving and copying with the folder picker, by mouse and by keyboard, and when requests fail. */
import type { Page, Route } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildFolder } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, onlyFirst, phone, row } from './browser.ts'
import { buildOwner, namesIn } from './folder-owner.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const picker = (page: Page) => page.getByRole('dialog')
const folder = (page: Page, name: string) => picker(page).getByRole('listitem').getByRole('button', { name })
const select = (page: Page) => picker(page).getByRole('button', { name: 'Select This Location' })
const location = (page: Page, path: string) => picker(page).getByText(`Current location: ${path}`, { exact: true })

/** Opens the list, selects these items, and opens the picker with the key for moving. */
async function openPicker(page: Page, user: BuiltUser, names: string[], path = '/'): Promise<void> {
  await enter(page, user, path)
  for (const name of names) await row(page, name).click({ modifiers: ['Control'] })
  await page.keyboard.press('m')
  await picker(page).waitFor()
}

describe('moving', () => {
  test('moves items into the selected folder, and Undo moves them back', async () => {
    const { user, year } = await buildOwner(server)
    const { page, offences } = await browser.open()
    await openPicker(page, user, ['a.txt', 'b.txt'])
    await picker(page).getByRole('heading', { name: 'Move 2 items' }).waitFor()
    await location(page, '/').waitFor()
    // The picker starts in the folder that holds the items.
    await expect.poll(() => select(page).isDisabled()).toBe(true)
    await picker(page).getByText('The items are already in this folder.').waitFor()
    await folder(page, 'Docs').click()
    await location(page, '/Docs').waitFor()
    await folder(page, '2026').click()
    await location(page, '/Docs/2026').waitFor()
    await picker(page).getByText('No folders in this location').waitFor()
    await select(page).click()
    await page.getByText('were moved to 2026').waitFor()
    await expect.poll(() => namesIn(user, year)).toEqual(['a.txt', 'b.txt'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await row(page, 'a.txt').waitFor()
    await expect.poll(() => namesIn(user, year)).toEqual([])
    expect(offences).toEqual([])
  })

  test('the picker leaves out the folders that are moved, and its breadcrumbs lead back', async () => {
    const { user, docs, photos } = await buildOwner(server)
    const { page } = await browser.open()
    await openPicker(page, user, ['Photos'])
    await folder(page, 'Docs').waitFor()
    expect(await folder(page, 'Photos').count()).toBe(0)
    await folder(page, 'Docs').click()
    await folder(page, '2026').click()
    await location(page, '/Docs/2026').waitFor()
    const trail = picker(page).getByRole('navigation', { name: 'Location' })
    await trail.getByRole('button', { name: 'Docs' }).click()
    await location(page, '/Docs').waitFor()
    await trail.getByRole('button', { name: 'Home' }).click()
    await location(page, '/').waitFor()
    await folder(page, 'Docs').click()
    await folder(page, '2026').waitFor()
    await select(page).click()
    await page.getByText('was moved to Docs').waitFor()
    await expect.poll(() => namesIn(user, docs)).toEqual(['2026', 'Photos'])
    expect((await user.call(listFiles, { parent_id: photos })).path).toBe('/Docs/Photos')
  })

  test('the picker loads further pages until it finds a folder that it may show', async () => {
    const { user } = await buildOwner(server)
    await buildFolder(user, 'Zoo')
    const { page } = await browser.open()
    await page.route('**/api/files?*only=folders*', route => {
      const url = new URL(route.request().url())
      url.searchParams.set('limit', '1')
      return route.continue({ url: url.href })
    })
    await openPicker(page, user, ['Docs', 'Photos'])
    await folder(page, 'Zoo').waitFor()
  })

  test('Undo moves back the other items when one of them fails', async () => {
    const { user, docs } = await buildOwner(server)
    await buildFile(user, { name: 'c.txt', parent_id: docs })
    const { page } = await browser.open()
    await openPicker(page, user, ['c.txt', 'a.txt'], '/search?q=.txt')
    await picker(page).getByRole('navigation', { name: 'Location' }).getByRole('button', { name: 'Home' }).click()
    await folder(page, 'Photos').click()
    await location(page, '/Photos').waitFor()
    await select(page).click()
    await page.getByText('2 items were moved to Photos').waitFor()
    await page.route(
      '**/move',
      onlyFirst(route => route.abort()),
    )
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('alert').getByText('Move failed').waitFor()
    const isBack = async () => [
      (await namesIn(user, null)).includes('a.txt'),
      (await namesIn(user, docs)).includes('c.txt'),
    ]
    await expect.poll(async () => (await isBack()).filter(Boolean).length).toBe(1)
  })

  test('Home in the picker moves items to the root', async () => {
    const { user, docs, year } = await buildOwner(server)
    await buildFile(user, { name: 'deep.txt', parent_id: docs })
    const { page } = await browser.open()
    await openPicker(page, user, ['deep.txt'], `/files/${docs}`)
    await location(page, '/Docs').waitFor()
    await picker(page).getByRole('button', { name: 'Home' }).click()
    await location(page, '/').waitFor()
    await select(page).click()
    await page.getByText('was moved to Home').waitFor()
    await expect.poll(() => namesIn(user, null)).toContain('deep.txt')
    await expect.poll(() => namesIn(user, year)).toEqual([])
  })

  test('a move that the server refuses shows an error, and the item returns', async () => {
    const { user, docs } = await buildOwner(server)
    await buildFile(user, { name: 'a.txt', parent_id: docs })
    const { page } = await browser.open()
    await openPicker(page, user, ['a.txt'])
    await folder(page, 'Docs').click()
    await folder(page, '2026').waitFor()
    await select(page).click()
    await page.getByRole('alert').getByText('Move failed').waitFor()
    await row(page, 'a.txt').waitFor()
  })
})

test('a copy may stay in the same folder, and Undo removes it', async () => {
  const { user } = await buildOwner(server)
  const { page } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy to…' }).click()
  await picker(page).getByRole('heading', { name: 'Copy 1 item' }).waitFor()
  await picker(page).getByText('Choose where to copy a.txt.').waitFor()
  await select(page).click()
  await row(page, 'a (1).txt').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row(page, 'a (1).txt').waitFor({ state: 'detached' })
  await expect.poll(() => namesIn(user, null)).toEqual(['Docs', 'Photos', 'a.txt', 'b.txt'])
})

test('a slow copy shows its progress, and an Undo that fails shows an error', async () => {
  const { user } = await buildOwner(server)
  const { page } = await browser.open()
  await enter(page, user)
  for (const name of ['a.txt', 'b.txt']) await row(page, name).click({ modifiers: ['Control'] })
  await row(page, 'a.txt').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Copy to…' }).click()
  const asked: Route[] = []
  await page.route('**/copy', route => void asked.push(route))
  await select(page).click()
  await page.getByText('Copying to Home: 0 of 2').waitFor()
  await asked[0]?.continue()
  await page.getByText('Copying to Home: 1 of 2').waitFor()
  await expect.poll(() => asked.length).toBe(2)
  await asked[1]?.continue()
  await page.getByText('2 items were copied to Home').waitFor()
  await page.getByText('Copying').waitFor({ state: 'detached' })
  await page.route('**/files/batch', route => route.abort())
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('alert').getByText('Failed to move items to trash').waitFor()
})

test('the keyboard alone opens folders, goes back, selects a folder and returns to the list', async () => {
  const { user, year } = await buildOwner(server)
  const { page, offences } = await browser.open()
  await enter(page, user)
  await row(page, 'a.txt').click({ modifiers: ['Control'] })
  await page.keyboard.press('m')
  const expectFocus = (name: string) =>
    expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(name)
  await expectFocus('Docs')
  await page.keyboard.press('End')
  await expectFocus('Photos')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expectFocus('2026')
  await page.keyboard.press('Backspace')
  // The focus is on the folder that was just left.
  await expectFocus('Docs')
  await page.keyboard.press('ArrowRight')
  await expectFocus('2026')
  await page.keyboard.press('ArrowRight')
  await expectFocus('No folders in this location')
  await page.keyboard.press('Tab')
  await expectFocus('Cancel')
  await page.keyboard.press('Tab')
  await expectFocus('Select This Location')
  await page.keyboard.press('Enter')
  await page.getByText('was moved to 2026').waitFor()
  await expect.poll(() => namesIn(user, year)).toEqual(['a.txt'])
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('b.txt')
  // Escape closes the picker and changes nothing.
  await page.keyboard.press('m')
  await expectFocus('Docs')
  await page.keyboard.press('Escape')
  await picker(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('b.txt')
  expect(offences).toEqual([])
})

describe('a folder made in the picker', () => {
  test('opens at once and can be selected', async () => {
    const { user } = await buildOwner(server)
    const { page } = await browser.open()
    await openPicker(page, user, ['a.txt'])
    await picker(page).getByRole('button', { name: 'New Folder' }).click()
    await page.keyboard.type('Made here')
    await page.keyboard.press('Enter')
    await location(page, '/Made here').waitFor()
    await select(page).click()
    await page.getByText('was moved to Made here').waitFor()
    const made = (await user.call(listFiles, {})).folders.find(({ name }) => name === 'Made here')
    await expect.poll(() => namesIn(user, made?.id ?? null)).toEqual(['a.txt'])
  })

  test('shows its error beside the field, and Escape closes only the field', async () => {
    const { user } = await buildOwner(server)
    const { page } = await browser.open()
    await openPicker(page, user, ['a.txt'])
    await picker(page).getByRole('button', { name: 'New Folder' }).click()
    const field = picker(page).getByLabel('Folder Name')
    await field.fill('Docs')
    await page.keyboard.press('Enter')
    await picker(page).getByText("'Docs' is already taken").waitFor()
    await page.route('**/api/files/folders', route => route.abort())
    await field.fill('Other')
    await page.keyboard.press('Enter')
    await picker(page).getByText('Failed to create folder').waitFor()
    await expect.poll(() => field.inputValue()).toBe('Other')
    await field.press('Escape')
    await field.waitFor({ state: 'detached' })
    await expect.poll(() => picker(page).count()).toBe(1)
  })
})

test('the picker says that it is loading, and a failure offers Retry', async () => {
  const { user, docs } = await buildOwner(server)
  const { page } = await browser.open()
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  await openPicker(page, user, ['a.txt'])
  await folder(page, 'Docs').waitFor()
  await page.route(`**/api/files?parent_id=${docs}*`, async route => {
    await held
    await route.abort()
  })
  await folder(page, 'Docs').click()
  await picker(page).getByText('Loading folders...').waitFor()
  await location(page, '/Docs').waitFor()
  await expect.poll(() => select(page).isDisabled()).toBe(true)
  release()
  await picker(page).getByRole('alert').getByText('Failed to load folders').waitFor()
  await page.unroute(`**/api/files?parent_id=${docs}*`)
  await picker(page).getByRole('button', { name: 'Retry' }).click()
  await folder(page, '2026').waitFor()
  await expect.poll(() => select(page).isEnabled()).toBe(true)
})

test.each([
  ['the desktop', desktop],
  ['a phone', phone],
] as const)('the picker has no accessibility barriers in either theme on %s', async (_name, device) => {
  const { user } = await buildOwner(server)
  const { page } = await browser.open(device)
  await enter(page, user)
  await page.getByRole('button', { name: 'More actions for a.txt' }).click()
  await page.getByText('Move…').click()
  await folder(page, 'Docs').waitFor()
  await picker(page).getByRole('button', { name: 'New Folder' }).click()
  await picker(page).getByLabel('Folder Name').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  // The last button lies within the window.
  const box = await select(page).boundingBox()
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(device.viewport?.width ?? 0)
})
