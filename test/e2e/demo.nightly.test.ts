/** The sign-in screen of `filestore serve --demo`, through the built binary. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ServeProcess, serveBinary } from '../support/binary.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { launchBrowser, row, type TestBrowser } from './browser.ts'

let dataDir: string
let server: ServeProcess
let browser: TestBrowser

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-demo-'))
  server = await serveBinary(['--demo', '--data-dir', dataDir])
  browser = await launchBrowser(server)
})

afterAll(async () => {
  await browser.close()
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

test('a click on a demo account fills in the form, and the account has sample files', async () => {
  const { page, offences } = await browser.open()
  await page.goto('/')
  const accounts = page.getByRole('region', { name: 'Demo accounts' })
  await accounts.getByRole('button', { name: 'admin' }).click()
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('admin')
  await accounts.getByRole('button', { name: 'jana' }).click()
  await expect.poll(() => page.getByLabel('Username').inputValue()).toBe('jana')
  await page.keyboard.press('Enter')
  await row(page, 'Welcome to filestore.md').waitFor()
  await row(page, 'Photos').dblclick()
  await row(page, 'northern lights.jpg').waitFor()
  expect(offences).toEqual([])
})

test('the box of demo accounts has no accessibility barriers in either theme', async () => {
  const { page } = await browser.open()
  await page.goto('/')
  await page.getByText('Demo accounts').waitFor()
  expect(await findBarriersInBothThemes(page)).toEqual([])
})
