/** A visit from sign-in to sign-out with real files. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseFiles, desktop, enter, row } from './browser.ts'
import { browser, openSite, server } from './site.ts'

/** The smallest possible PNG: one pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/q842iQAAAABJRU5ErkJggg==',
  'base64',
)
const pdf = Buffer.from(
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n',
)
const large = randomBytes(40 * 1024 ** 2)

let folder: string

openSite({ maxFileSize: '64MB' })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filestore-e2e-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function downloadBytes(page: Page, name: string): Promise<Buffer> {
  await row(page, name).hover()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: `Download ${name}` }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe(name)
  const target = join(folder, `back-${name}`)
  await file.saveAs(target)
  return readFile(target)
}

test('a user makes a folder, uploads, renames, downloads, trashes and restores files, and signs out', {
  timeout: 120_000,
}, async () => {
  const files = { 'pixel.png': png, 'paper.pdf': pdf, 'film.bin': large }
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  // With transitions, as most users see the page.
  const { page, offences } = await browser.open({ ...desktop, reducedMotion: 'no-preference' })
  await enter(page, { username: server.adminName, password: server.adminPassword })
  await page.getByText('This folder is empty').waitFor()

  await page.getByRole('button', { name: 'New Folder' }).first().click()
  await page.getByLabel('Folder Name').fill('  Visit  ')
  await page.getByRole('button', { name: 'Create Folder' }).click()
  await page.getByRole('link', { name: 'Visit' }).click()
  await page.getByText('This folder is empty').waitFor()

  await chooseFiles(
    page,
    Object.keys(files).map(name => join(folder, name)),
  )
  const tray = page.getByRole('region', { name: 'Uploads' })
  await tray.getByText('Maximum file size: 64MB').waitFor()
  for (const name of Object.keys(files)) await row(page, name).waitFor()
  await tray.waitFor({ state: 'detached' })

  await row(page, 'film.bin').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  await page.getByLabel('New name for film.bin').fill('Film – zweite Fassung.bin')
  await page.keyboard.press('Enter')
  await row(page, 'Film – zweite Fassung.bin').waitFor()

  expect((await downloadBytes(page, 'Film – zweite Fassung.bin')).equals(large)).toBe(true)
  expect((await downloadBytes(page, 'pixel.png')).equals(png)).toBe(true)
  expect((await downloadBytes(page, 'paper.pdf')).equals(pdf)).toBe(true)

  await row(page, 'pixel.png').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await row(page, 'pixel.png').waitFor({ state: 'detached' })
  await page.getByText('2 items').waitFor()

  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByText('Items in trash will be permanently deleted after 30 days.').waitFor()
  await row(page, 'pixel.png').hover()
  await page.getByRole('button', { name: 'Restore pixel.png' }).click()
  await page.getByText('was restored to /Visit').waitFor()
  await page.getByText('Trash is empty').waitFor()

  await page.getByRole('link', { name: 'Files', exact: true }).click()
  await page.getByRole('link', { name: 'Visit' }).click()
  await row(page, 'pixel.png').waitFor()

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe('/login')
  await page.goto('/files')
  await page.getByRole('heading', { name: 'Sign in to filestore' }).waitFor()
  expect(offences).toEqual([])
})
