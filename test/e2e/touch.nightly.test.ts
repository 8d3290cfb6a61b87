/** Touch on items, at every width: a tap opens, a long press selects. A mouse click at the same width selects. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { favoriteFile } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { enter, phone, row, tablet, wideTablet } from './browser.ts'
import { touchScreen } from './fingers.ts'
import { itemOf, rings } from './list-items.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const preview = (page: Page) => page.getByRole('dialog', { name: 'note.txt' })

async function buildOwner(): Promise<BuiltUser> {
  const user = await buildUser(server)
  const folder = await buildFolder(user, 'Notes')
  await buildFile(user, { name: 'inner.txt', parent_id: folder.id })
  await buildFile(user, { name: 'note.txt' })
  return user
}

/** Rests a finger on an item until the page has reacted, and lifts it. */
async function pressLong(page: Page, item: Locator, reaction: Locator): Promise<void> {
  const box = await item.boundingBox()
  if (box === null) throw new Error('no item')
  const screen = await touchScreen(page)
  await screen.down({ x: box.x + box.width / 2, y: box.y + box.height / 2 })
  await reaction.waitFor()
  await screen.up()
}

const sizes = [
  ['a phone', phone],
  ['a tablet', tablet],
  ['a wide tablet', wideTablet],
] as const
const cases = sizes.flatMap(([device, options]) =>
  (['List view', 'Grid view'] as const).map(view => [view, device, options] as const),
)

test.each(cases)('in the %s of %s a tap opens files and folders', async (view, _device, options) => {
  const user = await buildOwner()
  const { page, offences } = await browser.open(options)
  await enter(page, user)
  await page.getByRole('button', { name: view }).tap()
  await itemOf(page, 'note.txt').tap()
  await preview(page).waitFor()
  await preview(page).getByRole('button', { name: 'Close' }).first().tap()
  await preview(page).waitFor({ state: 'detached' })
  // Beside the name, which is a link.
  const box = await itemOf(page, 'Notes').boundingBox()
  const fromEnd = view === 'List view' ? 140 : 120
  await itemOf(page, 'Notes').tap({ position: { x: (box?.width ?? 0) - fromEnd, y: 8 } })
  await itemOf(page, 'inner.txt').waitFor()
  await page.goto('/search?q=note')
  await itemOf(page, 'note.txt').tap()
  await preview(page).waitFor()
  expect(offences).toEqual([])
})

test('on a tablet a mouse click marks a file and a double click opens it; the next tap opens at once', async () => {
  const user = await buildOwner()
  const { page } = await browser.open(tablet)
  await enter(page, user)
  await row(page, 'note.txt').click()
  await rings(page, 'note.txt')
  expect(await page.getByRole('dialog').count()).toBe(0)
  await row(page, 'note.txt').dblclick()
  await preview(page).waitFor()
  await page.keyboard.press('Escape')
  await preview(page).waitFor({ state: 'detached' })
  await row(page, 'note.txt').tap()
  await preview(page).waitFor()
})

describe.each(sizes)('on %s', (_device, options) => {
  test('a long press selects, also a folder; then taps select, and the menu is in reach', async () => {
    const user = await buildOwner()
    const { page, offences } = await browser.open(options)
    await enter(page, user)
    await pressLong(page, row(page, 'Notes'), page.getByText('1 selected'))
    await page.getByText('1 selected').waitFor()
    await row(page, 'note.txt').tap({ position: { x: 200, y: 20 } })
    await page.getByText('2 selected').waitFor()
    await row(page, 'note.txt').tap({ position: { x: 200, y: 20 } })
    await page.getByText('1 selected').waitFor()
    await page.getByRole('button', { name: 'Clear selection' }).tap()
    await page.getByRole('button', { name: 'More actions for note.txt' }).tap()
    await page.getByText('Select', { exact: true }).tap()
    await page.getByText('1 selected').waitFor()
    expect(await preview(page).count()).toBe(0)
    expect(offences).toEqual([])
  })

  test('a long press selects a card of the grid, and a result of a search', async () => {
    const user = await buildOwner()
    const { page } = await browser.open(options)
    await enter(page, user, '/search?q=note')
    await pressLong(page, itemOf(page, 'note.txt'), page.getByText('1 selected'))
    await page.getByRole('button', { name: 'Clear selection' }).tap()
    await page.getByRole('button', { name: 'Grid view' }).tap()
    await pressLong(page, itemOf(page, 'note.txt'), page.getByText('1 selected'))
    await itemOf(page, 'Notes').tap()
    await page.getByText('2 selected').waitFor()
  })

  test('a finger that moves on selects nothing', async () => {
    const user = await buildOwner()
    const { page } = await browser.open(options)
    await enter(page, user)
    const box = await row(page, 'note.txt').boundingBox()
    const at = { x: (box?.x ?? 0) + 150, y: (box?.y ?? 0) + 10 }
    const screen = await touchScreen(page)
    await page.clock.install()
    await screen.down(at)
    await screen.move({ x: at.x, y: at.y + 60 })
    await page.clock.fastForward(5000)
    await screen.up()
    expect(await page.getByText('1 selected').count()).toBe(0)
    await screen.down(at)
    await page.clock.fastForward(5000)
    await page.getByText('1 selected').waitFor()
    await screen.up()
  })

  test('a tap in the trash, where nothing opens, selects', async () => {
    const user = await buildUser(server)
    for (const name of ['one.txt', 'two.txt']) {
      const { id } = await buildFile(user, { name })
      await user.call(trashFile, { id })
    }
    const { page } = await browser.open(options)
    await enter(page, user, '/trash')
    await row(page, 'one.txt').tap()
    await page.getByText('1 selected').waitFor()
    await row(page, 'two.txt').tap()
    await page.getByText('2 selected').waitFor()
    await row(page, 'two.txt').tap()
    await page.getByText('1 selected').waitFor()
    await page.getByRole('button', { name: 'Clear selection' }).tap()
    await pressLong(page, row(page, 'two.txt'), page.getByText('1 selected'))
    await page.getByText('1 selected').waitFor()
  })

  test('a tap on the picture of a favourite opens it', async () => {
    const user = await buildUser(server)
    const { id } = await buildFile(user, { name: 'note.txt' })
    await user.call(favoriteFile, { id, is_favorite: true })
    const { page } = await browser.open(options)
    await enter(page, user, '/favorites')
    await page.getByRole('article', { name: 'note.txt' }).tap()
    await preview(page).waitFor()
  })
})

test('on a tablet a finger hits small buttons beside them, too', async () => {
  const user = await buildOwner()
  const { page } = await browser.open(tablet)
  await enter(page, user)
  await row(page, 'note.txt').waitFor()
  const isHitBeside = (label: string, x: number, y: number) =>
    page.getByRole('button', { name: label, exact: true }).evaluate(
      (button, [dx, dy]) => {
        const box = button.getBoundingClientRect()
        const [middle, centre] = [box.x + box.width / 2, box.y + box.height / 2]
        return button.contains(document.elementFromPoint(middle + (dx ?? 0), centre + (dy ?? 0)))
      },
      [x, y],
    )
  for (const label of ['Dark mode', 'Refresh', 'Name', 'More actions for note.txt', 'Download note.txt']) {
    expect([label, await isHitBeside(label, 0, -17), await isHitBeside(label, 0, 17)]).toEqual([label, true, true])
  }
  expect([await isHitBeside('Refresh', -19, 0), await isHitBeside('Refresh', 19, 0)]).toEqual([true, true])
})
