/** The Overview, and the page for an unknown address. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { updateProfile } from '../../src/api/auth.ts'
import { trashFile } from '../../src/api/trash.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { desktop, enter, launchBrowser, phone } from './browser.ts'
import { browser, openSite, server } from './site.ts'

openSite()

const low = "You're running low on storage space. Consider deleting old files or contact an administrator."
const exceeded = 'Storage quota exceeded. Please delete some files to continue uploading.'

/** Builds a user with a quota of 1000 bytes who stores this many. */
async function buildKeeper(bytes: number) {
  const user = await buildUser(server, { storageQuota: 1000 })
  if (bytes > 0) await buildFile(user, { name: 'kept.txt' }, 'x'.repeat(bytes))
  return user
}

describe('the overview', () => {
  test('shows the number of files and folders, the storage by kind including the trash, and the profile', async () => {
    const user = await buildKeeper(0)
    await user.call(updateProfile, { full_name: 'Jana Dvořáková' })
    const folder = await buildFolder(user)
    await buildFile(user, { name: 'picture.png', parent_id: folder.id }, 'x'.repeat(300))
    await buildFile(user, { name: 'text.txt' }, 'x'.repeat(100))
    const gone = await buildFile(user, { name: 'gone.txt' }, 'x'.repeat(50))
    await user.call(trashFile, { id: gone.id })
    const { page, offences } = await browser.open()
    await enter(page, user, '/overview')

    const figure = (label: string) => page.getByRole('main').locator('dl > div').filter({ hasText: label })
    await expect.poll(() => figure('Total Files').textContent()).toBe('Total Files2Across all folders')
    await expect.poll(() => figure('Total Folders').textContent()).toBe('Total Folders1On all levels')
    await expect.poll(() => figure('Storage Used').textContent()).toBe('Storage Used450 Bytes45% of quota')
    await expect.poll(() => figure('Available Space').textContent()).toBe('Available Space550 Bytesof 1000 Bytes')

    const storage = page.getByRole('region', { name: 'Storage' })
    await expect
      .poll(() => storage.getByRole('listitem').allTextContents())
      .toEqual(['Images1 file300 Bytes', 'Documents1 file100 Bytes', 'Trash50 Bytes'])
    await storage.getByText('45% of 1000 Bytes').waitFor()
    await expect.poll(() => storage.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('45')

    const profile = page.getByRole('region', { name: 'Profile' })
    for (const text of [user.username, 'Jana Dvořáková', 'USER'])
      await profile.getByText(text, { exact: true }).waitFor()
    await storage.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('row', { name: 'gone.txt' }).waitFor()
    expect(offences).toEqual([])
  })

  test.each([
    ['the desktop', desktop],
    ['a phone', phone],
  ] as const)('has cards of their final size while it loads on %s, so that nothing moves', async (_where, device) => {
    const user = await buildUser(server, { role: 'admin' })
    for (const name of ['a.png', 'b.txt', 'c.mp3', 'd.txt']) await buildFile(user, { name }, 'x'.repeat(100))
    const { page } = await browser.open(device)
    await enter(page, user, '/overview')
    await page.getByTitle('d.txt', { exact: true }).first().waitFor()
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/api/files/stats', async route => {
      await held
      await route.continue()
    })
    const boxes = () =>
      page.getByRole('main').evaluate(main =>
        [...main.querySelectorAll('section, dl > div')].map(part => {
          const { x, y, width, height } = part.getBoundingClientRect()
          return [x, y, width, height].map(Math.round)
        }),
      )
    await page.reload()
    await page.getByRole('status', { name: 'Loading' }).first().waitFor()
    await page.getByRole('region', { name: 'Server' }).getByText('GB').first().waitFor()
    const loading = await boxes()
    release()
    await page.getByTitle('d.txt', { exact: true }).first().waitFor()
    expect(loading.length).toBeGreaterThan(7)
    expect(await boxes()).toEqual(loading)
  })

  test('draws each kind as wide as its bytes, at least two pixels wide, and nothing for an empty account', async () => {
    const user = await buildUser(server, { storageQuota: 1000 })
    await buildFile(user, { name: 'picture.png' }, 'x'.repeat(400))
    await buildFile(user, { name: 'text.txt' }, 'x'.repeat(100))
    await buildFile(user, { name: 'sound.mp3' }, 'x')
    const { page } = await browser.open()
    await enter(page, user, '/overview')
    const bar = page.getByRole('progressbar', { name: 'Storage used' })
    const widthOf = async (title: string) => (await bar.getByTitle(title).boundingBox())?.width ?? 0
    await bar.getByTitle('Images: 400 Bytes').waitFor()
    const whole = (await bar.boundingBox())?.width ?? 0
    expect((await widthOf('Images: 400 Bytes')) / whole).toBeCloseTo(0.4, 1)
    expect((await widthOf('Documents: 100 Bytes')) / whole).toBeCloseTo(0.1, 1)
    expect(await widthOf('Audio: 1 Bytes')).toBe(2)

    const slight = await buildUser(server)
    for (const name of ['picture.png', 'text.txt', 'sound.mp3']) await buildFile(slight, { name }, 'xx')
    const { page: hers } = await browser.open()
    await enter(hers, slight, '/overview')
    const parts = hers.getByRole('progressbar', { name: 'Storage used' }).getByTitle('2 Bytes')
    await expect.poll(() => parts.count()).toBe(3)
    for (const part of await parts.all()) expect((await part.boundingBox())?.width).toBe(2)

    const { page: empty } = await browser.open()
    await enter(empty, await buildKeeper(0), '/overview')
    await empty.getByText('Nothing is stored yet.').waitFor()
    expect(await empty.getByRole('progressbar', { name: 'Storage used' }).locator('*').count()).toBe(0)
  })

  test('lists the newest files with size and day, and opens each in the preview', async () => {
    const user = await buildUser(server)
    for (const name of ['older.txt', 'newer.txt']) await buildFile(user, { name }, 'x'.repeat(2048))
    const { page } = await browser.open()
    await enter(page, user, '/overview')
    const recent = page.getByRole('region', { name: 'Recent Files' })
    await expect
      .poll(() => recent.getByRole('button', { name: /Today/ }).allTextContents())
      .toEqual(['newer.txt2.00 KBToday', 'older.txt2.00 KBToday'])
    await recent.getByRole('button', { name: /^older\.txt/ }).click()
    await page.getByRole('dialog').getByText('older.txt').first().waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('tells a new user that there are no files yet', async () => {
    const { page } = await browser.open()
    await enter(page, await buildUser(server), '/overview')
    await page.getByText('No files uploaded yet').waitFor()
    await page.getByRole('region', { name: 'Profile' }).getByText('Not set').waitFor()
    expect(await page.getByText(/running low|exceeded/).count()).toBe(0)
  })

  test.each([
    [800, null],
    [801, low],
    [999, low],
    [1000, exceeded],
  ])('shows the storage warning that belongs to %d of 1000 bytes: %s', async (bytes, warning) => {
    const { page } = await browser.open()
    await enter(page, await buildKeeper(bytes), '/overview')
    await page.getByRole('region', { name: 'Recent Files' }).getByRole('button', { name: /Today/ }).waitFor()
    await expect
      .poll(() => page.getByText(/running low|exceeded/).allTextContents())
      .toEqual(warning === null ? [] : [warning])
  })

  test('shows dashes instead of zeros and a notice when the statistics fail to load', async () => {
    const { page, offences } = await browser.open()
    await page.route('**/api/files/stats', route => route.fulfill({ status: 500, body: '' }))
    await enter(page, await buildKeeper(10), '/overview')
    await page.getByText('Failed to load statistics').waitFor()
    await expect.poll(() => page.getByText('—', { exact: true }).count()).toBe(2)
    await page.getByText('10 Bytes', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText('Failed to load statistics').waitFor({ state: 'detached' })
    expect(offences).toEqual([])
  })
})

describe('the disk space of the server', () => {
  test('is shown to administrators only, with the reserve that is kept free', async () => {
    const { page, offences } = await browser.open()
    await enter(page, await buildUser(server, { role: 'admin' }), '/overview')
    const card = page.getByRole('region', { name: 'Server' })
    await expect
      .poll(() => card.getByRole('definition').allTextContents())
      .toEqual([expect.stringMatching(/B$/), 'Nothing'])
    expect(await card.getByText('refused').count()).toBe(0)
    // Below the storage card, so that the newest files keep their place.
    const [own, storage] = await Promise.all(
      ['Server', 'Storage'].map(name => page.getByRole('region', { name, exact: true }).boundingBox()),
    )
    expect(own?.x).toBe(storage?.x)
    expect(own?.y).toBeGreaterThan(storage?.y ?? Number.POSITIVE_INFINITY)
    expect(offences).toEqual([])
    const { page: hers } = await browser.open()
    await enter(hers, await buildUser(server), '/overview')
    await hers.getByRole('region', { name: 'Profile' }).waitFor()
    expect(await hers.getByRole('region', { name: 'Server' }).count()).toBe(0)
  })

  test.each([
    ['the desktop', desktop],
    ['a phone', phone],
  ] as const)('shows a warning when it is nearly used up, on %s', async (_name, size) => {
    const full = await startServer({ minFreeSpace: '1000000GB' })
    const other = await launchBrowser(full)
    onTestFinished(async () => {
      await other.close()
      await full.close()
    })
    const { page, offences } = await other.open(size)
    await enter(page, { username: full.adminName, password: full.adminPassword }, '/overview')
    const card = page.getByRole('region', { name: 'Server' })
    await card.getByText("Uploads are refused: the files' disk is nearly full").waitFor()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.viewport?.width)
    expect(offences).toEqual([])
  })
})

test.each([
  ['the desktop', desktop],
  ['a phone', phone],
] as const)('the overview and the fallback page have no accessibility barriers on %s', async (_name, size) => {
  const { page } = await browser.open(size)
  await enter(page, await buildKeeper(900), '/overview')
  await page.getByRole('region', { name: 'Recent Files' }).getByRole('button', { name: /Today/ }).waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.viewport?.width)
  await page.goto('/nowhere')
  await page.getByText('Upcoming Features').waitFor()
  await page.getByText(low).waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
})
