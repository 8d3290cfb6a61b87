/** Fingers in the viewer: swiping from file to file, zooming by pinch and double tap, and moving what is zoomed. */
import type { BrowserContextOptions } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FileDetails } from '../../src/api/items.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { drawPdf } from '../support/pdfs.ts'
import { drawSilence } from '../support/sounds.ts'
import { enter, phone, tablet, wideTablet } from './browser.ts'
import { swipe, tapTwice, touchScreen } from './fingers.ts'
import { browser, openSite, server } from './site.ts'
import { dialog, zoomOf } from './viewer.ts'

let user: BuiltUser
let folderId: number
const files = new Map<string, FileDetails>()

openSite()

beforeAll(async () => {
  user = await buildUser(server)
  folderId = (await buildFolder(user, 'Shown')).id
  const put = async (name: string, bytes: string | Buffer) =>
    files.set(name, await buildFile(user, { name, parent_id: folderId }, bytes))
  await put('a.png', await drawImage(1600, 1200).as('png'))
  await put('b.png', await drawImage(1600, 1200).as('png'))
  await put('c.pdf', drawPdf({ pages: ['One', 'Two', 'Three'] }))
  await put('d.txt', 'a line of text\n'.repeat(200))
  await put('e.wav', drawSilence(20))
  await put('f.bin', 'no preview')
})

async function openFile(name: string, options: BrowserContextOptions = phone) {
  const opened = await browser.open(options)
  await enter(opened.page, user, `/files/${folderId}?preview=${files.get(name)?.id}`)
  await dialog(opened.page, name).waitFor()
  return opened
}

async function openPicture(name: string, options?: BrowserContextOptions) {
  const opened = await openFile(name, options)
  const picture = opened.page.getByRole('img', { name })
  await picture.waitFor()
  const left = async () => Math.round((await picture.boundingBox())?.x ?? 0)
  return { ...opened, picture, left }
}

const [right, left, high] = [
  { x: 320, y: 400 },
  { x: 80, y: 410 },
  { x: 330, y: 160 },
]

describe.each([
  ['phone', phone],
  ['tablet', tablet],
  ['wide tablet', wideTablet],
])('on a %s', (_, options) => {
  test('a swipe goes to the next and the previous picture', async () => {
    const { page, offences } = await openPicture('a.png', options)
    await swipe(page, right, left)
    await dialog(page, 'b.png').waitFor()
    await swipe(page, left, right)
    await dialog(page, 'a.png').waitFor()
    expect(offences).toEqual([])
  })

  test('a pinch zooms a picture, a finger moves it, and no swipe turns it then', async () => {
    const { page, left: edge } = await openPicture('a.png', options)
    const fitted = await zoomOf(page)
    const screen = await touchScreen(page)
    await screen.down({ x: 180, y: 400 }, { x: 220, y: 400 })
    await screen.move({ x: 80, y: 400 }, { x: 320, y: 400 })
    await screen.up()
    await expect.poll(() => zoomOf(page).then(Number.parseFloat)).toBeGreaterThan(2 * Number.parseFloat(fitted))
    const before = await edge()
    await swipe(page, right, { x: 260, y: 400 })
    await expect.poll(edge).toBe(before - 60)
    await swipe(page, right, left)
    expect(await dialog(page, 'a.png').count()).toBe(1)
  })

  test('a double tap enlarges a picture around the fingertip, and another one fits it again', async () => {
    const { page, picture } = await openPicture('a.png', options)
    const fitted = await picture.boundingBox()
    const [x, y] = [Math.round((fitted?.x ?? 0) + (fitted?.width ?? 0) * 0.75), 400]
    await tapTwice(page, { x, y })
    await expect.poll(async () => Math.round((await picture.boundingBox())?.width ?? 0)).toBe(1600)
    const large = await picture.boundingBox()
    expect((x - (large?.x ?? 0)) / 1600).toBeCloseTo(0.75, 1)
    await tapTwice(page, { x, y })
    await expect.poll(() => picture.boundingBox()).toEqual(fitted)
  })
})

test('a picture follows the finger, and comes back after a short or a vertical swipe, and at the end', async () => {
  const { page, left: edge } = await openPicture('a.png')
  const rest = await edge()
  const screen = await touchScreen(page)
  await screen.down(right)
  await screen.move({ x: 300, y: 400 })
  await screen.move({ x: 290, y: 400 })
  await expect.poll(edge).toBe(rest - 30)
  await screen.up()
  await expect.poll(edge).toBe(rest)
  await swipe(page, right, high)
  await swipe(page, left, right)
  await expect.poll(edge).toBe(rest)
  expect(await dialog(page, 'a.png').count()).toBe(1)
})

test('a picture that loads under a finger is fitted, and can be swiped on', async () => {
  const { page } = await openPicture('a.png')
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const id = files.get('b.png')?.id
  await page.route(`**/files/${id}/preview*`, async route => {
    await released
    await route.continue()
  })
  await page.reload()
  await page.getByRole('img', { name: 'a.png' }).waitFor()
  const fitted = await zoomOf(page)
  await swipe(page, right, left)
  await dialog(page, 'b.png').waitFor()
  const screen = await touchScreen(page)
  await screen.down(right)
  await screen.move({ x: right.x - 20, y: right.y })
  await screen.move({ x: right.x - 40, y: right.y })
  release()
  await page.getByRole('img', { name: 'b.png' }).waitFor()
  await screen.up()
  await expect.poll(() => zoomOf(page)).toBe(fitted)
  await swipe(page, left, right)
  await dialog(page, 'a.png').waitFor()
})

test('a picture pinched smaller than the window is fitted again', async () => {
  const { page } = await openPicture('a.png')
  const fitted = await zoomOf(page)
  const screen = await touchScreen(page)
  await screen.down({ x: 80, y: 400 }, { x: 320, y: 400 })
  await screen.move({ x: 180, y: 400 }, { x: 220, y: 400 })
  await screen.up()
  await expect.poll(() => zoomOf(page)).toBe(fitted)
})

test('swipes lead through documents, texts, sounds and files without a preview', async () => {
  const { page, offences } = await openPicture('b.png')
  const next = async (name: string) => {
    await swipe(page, right, left)
    await dialog(page, name).waitFor()
  }
  await next('c.pdf')
  await page.getByRole('region', { name: 'Pages of c.pdf' }).waitFor()
  await next('d.txt')
  await page.getByRole('region', { name: 'Text of d.txt' }).waitFor()
  await next('e.wav')
  await next('f.bin')
  await swipe(page, left, right)
  await dialog(page, 'e.wav').waitFor()
  expect(offences).toEqual([])
})

test('a text that is scrolled sideways or down is not left', async () => {
  const { page } = await openFile('d.txt')
  const text = page.getByRole('region', { name: 'Text of d.txt' })
  await text.waitFor()
  await swipe(page, { x: 200, y: 600 }, { x: 180, y: 200 })
  await expect.poll(() => text.evaluate(element => element.scrollTop)).toBeGreaterThan(0)
  expect(await dialog(page, 'd.txt').count()).toBe(1)
  const long = await buildFile(user, { name: 'g.txt', parent_id: folderId }, 'word '.repeat(400))
  await page.goto(`/files/${folderId}?preview=${long.id}`)
  await page.getByRole('button', { name: 'Wrap lines' }).tap()
  await swipe(page, right, left)
  expect(await dialog(page, 'g.txt').count()).toBe(1)
})

test('the way back of a picture is animated, unless the user wants less motion', async () => {
  for (const [reducedMotion, duration] of [
    ['no-preference', '0.18s'],
    ['reduce', '0s'],
  ] as const) {
    const { page } = await openPicture('a.png', { ...phone, reducedMotion })
    const moving = page.locator('[data-viewer-stage] > :first-child')
    expect(await moving.evaluate(element => getComputedStyle(element).transitionDuration)).toBe(duration)
  }
})
