/** The favourites: the actions of each card, failures of the server, and how many cards are drawn. */
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { favoriteFile, listFavorites } from '../../src/api/files.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, phone } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

/** Builds a user whose favourites are a folder, a text, a picture and a file without a preview. */
async function buildOwner(): Promise<BuiltUser> {
  const user = await buildUser(server)
  const picture = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#264' } })
    .png()
    .toBuffer()
  const items = [
    await buildFolder(user, 'Photos'),
    await buildFile(user, { name: 'notes.txt' }, 'some notes'),
    await buildFile(user, { name: 'green.png' }, picture),
    await buildFile(user, { name: 'backup.tar' }),
  ]
  for (const { id } of items) await user.call(favoriteFile, { id, is_favorite: true })
  return user
}

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const namesOf = async (user: BuiltUser) => (await user.call(listFavorites, {})).files.map(({ name }) => name)

test('each card offers the actions of its kind, and a folder opens', async () => {
  const user = await buildOwner()
  const { page, offences } = await browser.open()
  await enter(page, user, '/favorites')
  await card(page, 'Photos').getByText('Folder').waitFor()
  await expect.poll(() => page.getByRole('listitem').count()).toBe(4)
  await page.getByRole('heading', { name: 'Favorites' }).locator('..').getByText('4').waitFor()
  await expect.poll(() => card(page, 'Photos').getByRole('button').count()).toBe(2)
  await expect.poll(() => card(page, 'notes.txt').getByRole('button', { name: 'Preview notes.txt' }).count()).toBe(1)
  expect(await card(page, 'backup.tar').getByRole('button', { name: 'Preview backup.tar' }).count()).toBe(0)
  const download = page.waitForEvent('download')
  await card(page, 'backup.tar').getByRole('button', { name: 'Download backup.tar' }).click()
  expect((await download).suggestedFilename()).toBe('backup.tar')
  await card(page, 'Photos').getByRole('link').click()
  await page.getByText('This folder is empty').waitFor()
  expect(offences).toEqual([])
})

test('the star removes a favourite at once, and Undo brings it back', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user, '/favorites')
  await page.getByRole('button', { name: 'Remove notes.txt from favorites' }).click()
  await card(page, 'notes.txt').waitFor({ state: 'detached' })
  await page.getByText('was removed from favorites').waitFor()
  await expect.poll(() => namesOf(user)).not.toContain('notes.txt')
  await page.getByRole('button', { name: 'Undo' }).click()
  await card(page, 'notes.txt').waitFor()
  await expect.poll(() => namesOf(user)).toContain('notes.txt')
})

test('a change or download that the server refuses shows an error, and the card stays', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user, '/favorites')
  await page.route(/\/favorite$/, route => route.abort())
  await page.getByRole('button', { name: 'Remove notes.txt from favorites' }).click()
  await page.getByRole('alert').getByText('Failed to remove favorite').waitFor()
  await card(page, 'notes.txt').waitFor()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await page.route(/\/download$/, route => route.abort())
  await page.getByRole('button', { name: 'Download notes.txt' }).click()
  await page.getByRole('alert').getByText('Download failed').waitFor()
})

test('favourites that fail to load show an error, and Retry loads them', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await page.route(/\/files\/favorites/, route => route.abort())
  await enter(page, user, '/favorites')
  await page.getByRole('alert').getByText('Failed to load favorites').waitFor()
  await page.unroute(/\/files\/favorites/)
  await page.getByRole('button', { name: 'Retry' }).click()
  await card(page, 'notes.txt').waitFor()
})

test('an empty list of favourites shows a hint', async () => {
  const { page } = await browser.open()
  await enter(page, await buildUser(server), '/favorites')
  await page.getByText('No favorites yet').waitFor()
})

test('a list of a thousand favourites draws only the cards in view, and loads the next page at its end', async () => {
  const user = await buildOwner()
  const [first] = (await user.call(listFavorites, {})).files
  const { page } = await browser.open()
  const cursors: (string | null)[] = []
  await page.route(/\/files\/favorites/, route => {
    const cursor = new URL(route.request().url()).searchParams.get('cursor')
    cursors.push(cursor)
    const from = cursor === null ? 0 : 1000
    const files = Array.from({ length: 1000 }, (_, n) => ({ ...first, id: from + n + 1, name: `item ${from + n}` }))
    const data = { files, total: 2000, next_cursor: cursor === null ? 'next' : null }
    return route.fulfill({ json: { success: true, message: '', data } })
  })
  await enter(page, user, '/favorites')
  await card(page, 'item 0').waitFor()
  expect(await page.getByRole('listitem').count()).toBeLessThan(150)
  expect(cursors).toEqual([null])
  await page.getByRole('list', { name: 'Favorites' }).evaluate(list => list.parentElement?.scrollTo(0, 1e7))
  await expect.poll(() => cursors).toContain('next')
})

test('a page of favourites that fails is requested once, and again by Retry', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  let asked = 0
  await page.route(/\/files\/favorites/, async route => {
    const isFurther = route.request().url().includes('cursor')
    if (isFurther) asked += 1
    if (isFurther) return route.fulfill({ status: 500, json: {} })
    const { data, ...rest } = await (await route.fetch()).json()
    return route.fulfill({ json: { ...rest, data: { ...data, next_cursor: 'next' } } })
  })
  await enter(page, user, '/favorites')
  await page.getByRole('alert').getByText('Failed to load favorites').waitFor()
  await card(page, 'notes.txt').hover()
  await card(page, 'backup.tar').hover()
  expect(asked).toBe(1)
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect.poll(() => asked).toBe(2)
  await page.getByRole('alert').getByText('Failed to load favorites').waitFor()
})

test('the keyboard reaches every control of a card', async () => {
  const user = await buildOwner()
  const { page } = await browser.open()
  await enter(page, user, '/favorites')
  await card(page, 'Photos').getByRole('link').focus()
  await page.keyboard.press('Tab')
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  expect(await focused()).toBe('More actions for Photos')
  await page.keyboard.press('Tab')
  expect(await focused()).toBe('Remove Photos from favorites')
  await page.keyboard.press('Enter')
  await card(page, 'Photos').waitFor({ state: 'detached' })
  await expect.poll(focused).toMatch(/^Remove .* from favorites$/)
})

test('a file can be dragged out of the window as a download, by a mouse', async () => {
  const user = await buildOwner()
  const { page, offences } = await browser.open()
  await enter(page, user, '/favorites')
  await card(page, 'notes.txt').waitFor()
  await page.evaluate(() =>
    addEventListener('dragstart', ({ dataTransfer }) => {
      document.body.dataset.dragged = `${dataTransfer?.effectAllowed} ${dataTransfer?.getData('DownloadURL')}`
    }),
  )
  await card(page, 'notes.txt').hover({ position: { x: 60, y: 60 } })
  await page.mouse.down()
  await page.mouse.move(640, 780)
  await page.mouse.move(640, 790)
  const { files } = await user.call(listFavorites, {})
  const id = files.find(({ name }) => name === 'notes.txt')?.id
  await expect
    .poll(() => page.locator('body').getAttribute('data-dragged'))
    .toBe(`copy text/plain:notes.txt:${server.url}/api/files/${id}/download`)
  await page.mouse.up()
  expect(await card(page, 'Photos').getAttribute('draggable')).toBe('false')
  expect(offences).toEqual([])
})

describe('in both themes', () => {
  test.each([
    ['desktop', desktop],
    ['phone', phone],
  ] as const)('favourites have no accessibility barriers on a %s', async (_, device) => {
    const user = await buildOwner()
    const { page, offences } = await browser.open(device)
    await enter(page, user, '/favorites')
    await card(page, 'green.png').waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    expect(offences).toEqual([])
  })
})
