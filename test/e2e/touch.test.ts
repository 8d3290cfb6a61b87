/** Touch on items, at every width: a tap opens, a long press opens the menu. A mouse at the same width selects. */
import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { favoriteFile } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { enter, phone, row, tablet, wideTablet } from './browser.ts'
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

/**
 * Touches an item for a long time. Chromium without a screen recognises no long press, so the test sends the event that
 * it would fire.
 */
async function pressLong(page: Page, item: Locator): Promise<void> {
  const box = await item.boundingBox()
  if (box === null) throw new Error('no item')
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const screen = await page.context().newCDPSession(page)
  await screen.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
  await item.dispatchEvent('contextmenu', { clientX: at.x, clientY: at.y })
  await screen.send('Input.dispatchTouchEvent', { type: 'touchCancel', touchPoints: [] })
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
  await itemOf(page, 'Notes').tap({ position: { x: (box?.width ?? 0) - 120, y: 8 } })
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
  test('a long press opens the menu, whose Select starts a selection that taps extend', async () => {
    const user = await buildOwner()
    const { page } = await browser.open(options)
    await enter(page, user)
    const select = page.getByText('Select', { exact: true })
    await pressLong(page, row(page, 'note.txt'))
    await select.tap()
    await page.getByText('1 selected').waitFor()
    await row(page, 'Notes').tap({ position: { x: 200, y: 20 } })
    await page.getByText('2 selected').waitFor()
    expect(await preview(page).count()).toBe(0)
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
