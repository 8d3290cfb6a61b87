/** Images, texts, video and audio in the viewer: how they are shown, and their errors. */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FileDetails } from '../../src/api/items.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { drawSilence } from '../support/sounds.ts'
import { enter } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { button, openAlone, press, zoomOf } from './viewer.ts'

let user: BuiltUser
let folderId: number
let wide: FileDetails
let small: FileDetails
let text: FileDetails

openSite()

beforeAll(async () => {
  user = await buildUser(server)
  folderId = (await buildFolder(user, 'Shown')).id
  const put = (name: string, bytes: string | Buffer) => buildFile(user, { name, parent_id: folderId }, bytes)
  wide = await put('a.png', await drawImage(2400, 1200).as('png'))
  small = await put('c.jpg', await drawImage(300, 200).as('jpeg'))
  text = await put('d.txt', 'one\r\ntwo\n<b>three</b>\n')
})

describe('the image viewer', () => {
  const openImage = async () => {
    const { page } = await browser.open()
    await enter(page, user, `/files/${folderId}?preview=${wide.id}`)
    const picture = page.getByRole('img', { name: 'a.png' })
    await picture.waitFor()
    return { page, picture }
  }

  test('fits the image to the window, and zooms from 20 % to 500 % in steps of 1.2', async () => {
    const { page, picture } = await openImage()
    // 2,400 pixels in a window of 1,280, with a margin of 16 at each side.
    await expect.poll(() => zoomOf(page)).toBe('52%')
    expect((await picture.boundingBox())?.width).toBe(1248)
    await button(page, 'Zoom in').click()
    await expect.poll(() => zoomOf(page)).toBe('62%')
    await press(page, '-')
    await expect.poll(() => zoomOf(page)).toBe('52%')
    for (let step = 0; step < 13; step++) await press(page, '+')
    await expect.poll(() => zoomOf(page)).toBe('500%')
    await expect.poll(() => button(page, 'Zoom in').isDisabled()).toBe(true)
    for (let step = 0; step < 18; step++) await press(page, '-')
    await expect.poll(() => zoomOf(page)).toBe('20%')
    await expect.poll(() => button(page, 'Zoom out').isDisabled()).toBe(true)
    await press(page, '0')
    await expect.poll(() => zoomOf(page)).toBe('52%')
  })

  test('zooms by Ctrl and the wheel, moves by dragging, and shows the original size by a double click', async () => {
    const { page, picture } = await openImage()
    await picture.dblclick({ position: { x: 600, y: 300 } })
    await expect.poll(() => zoomOf(page)).toBe('100%')
    const before = await picture.boundingBox()
    await page.mouse.move(640, 380)
    await page.mouse.down()
    await page.mouse.move(540, 340, { steps: 3 })
    await page.mouse.up()
    const after = await picture.boundingBox()
    expect((after?.x ?? 0) - (before?.x ?? 0)).toBe(-100)
    await picture.dblclick({ position: { x: 1200, y: 600 } })
    await expect.poll(() => zoomOf(page)).toBe('52%')
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -100)
    await page.keyboard.up('Control')
    await expect.poll(() => zoomOf(page)).toBe('62%')
  })

  test('fetches the next image ahead', async () => {
    const folder = await buildFolder(user)
    const bytes = await drawImage(10, 10).as('png')
    const first = await buildFile(user, { name: '1.png', parent_id: folder.id }, bytes)
    const next = await buildFile(user, { name: '2.png', parent_id: folder.id }, bytes)
    const { page } = await browser.open()
    const ahead = page.waitForRequest(request => request.url().includes(`/files/${next.id}/preview`))
    await enter(page, user, `/files/${folder.id}?preview=${first.id}`)
    await ahead
  })

  test('shows an error when the image fails to load, and Retry loads it', async () => {
    const { page } = await browser.open()
    await page.route('**/preview', route => route.fulfill({ status: 500 }))
    await enter(page, user, `/files/${folderId}?preview=${small.id}`)
    await page.getByRole('alert').getByText('Failed to load image').waitFor()
    await page.unroute('**/preview')
    await button(page, 'Retry').click()
    await page.getByRole('img', { name: 'c.jpg' }).waitFor()
  })

  test('runs no script of an SVG', async () => {
    const script = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>top.hit = 1</script></svg>'
    const { page, offences } = await openAlone(browser, user, 'evil.svg', script)
    await page.getByRole('img', { name: 'evil.svg' }).waitFor()
    expect(await page.evaluate(() => 'hit' in window)).toBe(false)
    expect(offences).toEqual([])
  })
})

describe('the text viewer', () => {
  const lines = (page: Page) => page.getByRole('region', { name: /^Text of / })

  test('numbers lines whatever their ending, and never renders text as HTML', async () => {
    const { page, offences } = await browser.open()
    await enter(page, user, `/files/${folderId}?preview=${text.id}`)
    await lines(page).getByText('<b>three</b>', { exact: true }).waitFor()
    await expect.poll(() => lines(page).locator('[data-line]').count()).toBe(3)
    await expect.poll(() => lines(page).getByText('one', { exact: true }).innerText()).toBe('one')
    await button(page, 'Wrap lines').click()
    await expect.poll(() => button(page, 'Wrap lines').getAttribute('aria-pressed')).toBe('false')
    expect(offences).toEqual([])
  })

  test('loads a text of 2.5 MB in ranges of 1 MB, when the user asks for more', async () => {
    const line = `${'word '.repeat(12)}end\n`
    const content = line.repeat(Math.ceil((2.5 * 1024 ** 2) / line.length))
    const ranges: (string | undefined)[] = []
    const folder = await buildFolder(user)
    const file = await buildFile(user, { name: 'long.txt', parent_id: folder.id }, content)
    const { page } = await browser.open()
    page.on('request', request => {
      if (request.url().endsWith('/preview')) ranges.push(request.headers().range)
    })
    await enter(page, user, `/files/${folder.id}?preview=${file.id}`)
    await lines(page).getByText('word').first().waitFor()
    expect(ranges).toEqual(['bytes=0-1048575'])
    expect(await lines(page).locator('[data-index]').count()).toBeLessThan(200)
    await lines(page).focus()
    await press(page, 'End')
    await page.getByText('1.00 MB of 2.50 MB shown').waitFor()
    await page.route('**/preview', route => route.abort())
    await button(page, 'Show more').click()
    await page.getByRole('alert').getByText('Failed to load file content').waitFor()
    await page.unroute('**/preview')
    await button(page, 'Retry').click()
    await expect.poll(() => ranges.at(-1)).toBe('bytes=1048576-2097151')
    await press(page, 'End')
    await page.getByText('2.00 MB of 2.50 MB shown').waitFor()
    await button(page, 'Show more').click()
    await page.getByText('of 2.50 MB shown').waitFor({ state: 'detached' })
  })

  test('shows a text of one very long line', async () => {
    const { page } = await openAlone(browser, user, 'one.json', `"${'x'.repeat(900_000)}"`)
    await lines(page).getByText('xxx').first().waitFor()
    await expect.poll(() => lines(page).locator('[data-line]').count()).toBe(1)
  })

  test('shows as many lines as the height of an element allows, and offers the download of the rest', async () => {
    const { page } = await openAlone(browser, user, 'short.txt', '\n'.repeat(1.5 * 1024 ** 2))
    await lines(page).locator('[data-line="1"]').waitFor()
    await lines(page).focus()
    await press(page, 'End')
    await page.getByText('683.59 KB of 1.50 MB shown. Download the file to see the rest.').waitFor()
    await lines(page).locator('[data-line="700000"]').waitFor()
    expect(await button(page, 'Show more').count()).toBe(0)
  })

  test('decodes UTF-16 and Windows-1252', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('Grüße', 'utf16le')])
    const first = await openAlone(browser, user, 'utf16.txt', utf16)
    await lines(first.page).getByText('Grüße', { exact: true }).waitFor()
    const second = await openAlone(browser, user, 'windows.txt', Buffer.from('Größe', 'latin1'))
    await lines(second.page).getByText('Größe', { exact: true }).waitFor()
  })

  test('says that a file is empty', async () => {
    const { page } = await openAlone(browser, user, 'empty.md', '')
    await page.getByText('This file is empty').waitFor()
  })

  test('shows an error when the text fails to load, and Retry loads it', async () => {
    const { page } = await browser.open()
    await page.route('**/preview', route => route.abort())
    await enter(page, user, `/files/${folderId}?preview=${text.id}`)
    await page.getByRole('alert').getByText('Failed to load file content').waitFor()
    await page.unroute('**/preview')
    await button(page, 'Retry').click()
    await lines(page).getByText('two').waitFor()
  })
})

describe('the player', () => {
  test('starts and stops on Space', async () => {
    const { page, offences } = await openAlone(browser, user, 'sound.wav', drawSilence(20))
    const isPaused = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)
    await expect.poll(() => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.duration)).toBe(20)
    await press(page, ' ')
    await expect.poll(isPaused).toBe(false)
    await press(page, ' ')
    await expect.poll(isPaused).toBe(true)
    expect(offences).toEqual([])
  })

  test('shows an error when the browser cannot play the file', async () => {
    const { page } = await openAlone(browser, user, 'film.mp4', 'no film')
    await page.getByRole('alert').getByText('This video cannot be played here').waitFor()
    await button(page, 'Download').first().waitFor()
  })
})
