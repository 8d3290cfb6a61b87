/** Large uploads that break off: they go on by themselves, and after a reload with the same file. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { Page, Route } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { logout } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import { resumableFrom } from '../../src/api/limits.ts'
import { listUploads } from '../../src/api/tus.ts'
import { type Fate, startBetween } from '../cli/between.ts'
import { serveBinary } from '../support/binary.ts'
import { signIn as signInByApi, type TestClient } from '../support/client.ts'
import { buildUser } from '../support/factories.ts'
import { findFreePort } from '../support/free-port.ts'
import { onlyNightly } from '../support/rounds.ts'
import { adminPassword, createConfig } from '../support/test-server.ts'
import { findBarriersInBothThemes } from './accessible.ts'
import { chooseFiles, endSession, enter, onlyFirst, signIn } from './browser.ts'
import { browser, openSite, server } from './site.ts'
import { largeFile, slowDown, tray, uploadRow } from './uploading.ts'

openSite()

const size = resumableFrom + 1_000_000
/** Bytes a second, so that a test has time to break it off. */
const slowly = 3_000_000

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
const uploadsOf = async (user: TestClient) => (await user.call(listUploads, {})).uploads

/** The page of a new user behind a proxy, which counts bytes and decides the fate of each request. */
async function openThrough(fateOf: (name: string) => Fate = () => 'forward') {
  const user = await buildUser(server)
  const between = await startBetween(server.url, fateOf)
  const { page } = await browser.open({ baseURL: between.url, viewport: { width: 1280, height: 800 } })
  await enter(page, user)
  return { user, between, page }
}

/** Waits until the file is the only one, with the bytes on the disk, and no upload is left. */
async function expectStored(user: TestClient, path: string): Promise<void> {
  const sizes = async () => (await user.call(listFiles, { parent_id: null })).files.map(file => file.size)
  await expect.poll(sizes, { timeout: 30_000 }).toEqual([size])
  const [file] = (await user.call(listFiles, { parent_id: null })).files
  const answer = await user.raw(`/api/files/${file?.id}/download`)
  expect(sha256(Buffer.from(await answer.arrayBuffer()))).toBe(sha256(readFileSync(path)))
  await expect.poll(async () => (await uploadsOf(user)).length).toBe(0)
}

/** Chooses the file and waits until a part of it has left. */
async function begin(page: Page, path: string, name: string): Promise<void> {
  await slowDown(page, slowly)
  await chooseFiles(page, [path])
  const progress = uploadRow(page, name).getByRole('progressbar')
  await expect.poll(async () => Number(await progress.getAttribute('aria-valuenow'))).toBeGreaterThan(30)
}

/** Begins an upload and reloads the page in the middle of it. */
async function beginAndReload() {
  const opened = await openThrough()
  const path = largeFile('film.mp4', size)
  await begin(opened.page, path, 'film.mp4')
  await opened.page.reload()
  const row = uploadRow(opened.page, 'film.mp4')
  await row.getByText(/ of 8\.95 MB sent/).waitFor()
  return { ...opened, path, row }
}

const continueWith = async (page: Page, path: string): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Continue film.mp4' }).click()
  await (await chooser).setFiles(path)
}

describe('after a reload a large upload', () => {
  test('goes on when its file is chosen again, and sends only the rest', async () => {
    const { user, page, between, path } = await beginAndReload()
    await tray(page).getByText('1 upload unfinished').waitFor()
    await tray(page).getByText('Choose the file again to continue, or drop it here').waitFor()
    await continueWith(page, path)
    await expectStored(user, path)
    await tray(page).waitFor({ state: 'detached' })
    expect(between.received()).toBeLessThan(size + 3_000_000)
    await page.reload()
    await page.getByRole('row', { name: 'film.mp4' }).waitFor()
    expect(await tray(page).count()).toBe(0)
  })

  test('goes on by itself when its file is added again in the same folder', async context => {
    onlyNightly(context)
    const { user, page, between, path } = await beginAndReload()
    await chooseFiles(page, [path])
    await expectStored(user, path)
    await tray(page).waitFor({ state: 'detached' })
    expect(between.received()).toBeLessThan(size + 3_000_000)
  })

  test('takes no other file, nor the same one with other content', async () => {
    const { user, page, path, row } = await beginAndReload()
    await continueWith(page, largeFile('film.mp4', size))
    await row.getByText('Not the same file').waitFor()
    const bytes = readFileSync(path)
    writeFileSync(path, Buffer.concat([Buffer.from('other'), bytes.subarray(5)]))
    await continueWith(page, path)
    await row.getByText('Not the same file').waitFor()
    expect(await uploadsOf(user)).toHaveLength(1)
    expect((await user.call(listFiles, {})).files).toEqual([])
  })

  test('can be discarded, and brought back for a while', async context => {
    onlyNightly(context)
    const { user, page, path } = await beginAndReload()
    await page.getByRole('button', { name: 'Discard film.mp4' }).click()
    await tray(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await continueWith(page, path)
    await expectStored(user, path)
  })

  test('stays for the next visit when the tray is closed, and is no barrier', async () => {
    const { page } = await beginAndReload()
    expect(await findBarriersInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Close uploads' }).click()
    await tray(page).waitFor({ state: 'detached' })
    await page.reload()
    await uploadRow(page, 'film.mp4').waitFor()
  })

  test('is not shown to another user, nor in a second tab while the first sends it', async () => {
    const { user, page, between } = await openThrough()
    await begin(page, largeFile('film.mp4', 3 * size), 'film.mp4')
    const second = await page.context().newPage()
    await second.goto(between.url)
    await second.getByRole('main').waitFor()
    await second.waitForLoadState('networkidle')
    expect(await tray(second).count()).toBe(0)
    await page.close()
    await second.reload()
    await uploadRow(second, 'film.mp4').waitFor()
    await endSession(second)
    await second.reload()
    const other = await buildUser(server)
    await signIn(second, other.username, other.password)
    await second.getByText('This folder is empty').waitFor()
    await second.waitForLoadState('networkidle')
    expect(await tray(second).count()).toBe(0)
    expect(await uploadsOf(user)).toHaveLength(1)
  })
})

describe('a large upload goes on by itself', () => {
  test('after its line broke', async () => {
    const fates: Fate[] = [{ breakAt: 4_000_000 }, { breakAt: 2_000_000 }]
    const { user, page } = await openThrough(name =>
      name.startsWith('PATCH ') ? (fates.shift() ?? 'forward') : 'forward',
    )
    const path = largeFile('film.mp4', size)
    await chooseFiles(page, [path])
    await expectStored(user, path)
    expect(fates).toEqual([])
  })

  test('after the browser was offline', async context => {
    onlyNightly(context)
    const { user, page, between } = await openThrough()
    const path = largeFile('film.mp4', size)
    await begin(page, path, 'film.mp4')
    await page.context().setOffline(true)
    const row = uploadRow(page, 'film.mp4')
    await row.getByText(/Waiting · [1-9]\.\d\d of 8\.95 MB sent/).waitFor()
    expect(Number(await row.getByRole('progressbar').getAttribute('aria-valuenow'))).toBeGreaterThan(30)
    await page.context().setOffline(false)
    await expectStored(user, path)
    expect(between.received()).toBeLessThan(size + 3_000_000)
  })

  test('after the user has signed in again', async () => {
    const { user, page } = await openThrough()
    const path = largeFile('film.mp4', size)
    await slowDown(page, slowly)
    const endBefore = async (route: Route) => {
      await page.evaluate(logOut => fetch(logOut, { method: 'POST', credentials: 'include' }), `/api${logout.path}`)
      await route.continue()
    }
    await page.route('**/api/uploads/*/finish', onlyFirst(endBefore))
    await chooseFiles(page, [path])
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByLabel('Password', { exact: true }).fill(user.password)
    await page.keyboard.press('Enter')
    await expectStored(user, path)
  })

  test('after the server was killed and started again', async context => {
    onlyNightly(context)
    const { config } = await createConfig()
    const port = await findFreePort()
    const start = () =>
      serveBinary(['--data-dir', config.dataDir, '--port', String(port)], { FILESTORE_ADMIN_PASSWORD: adminPassword })
    const first = await start()
    onTestFinished(() => rm(config.dataDir, { recursive: true, force: true }))
    const { page } = await browser.open({ baseURL: first.url, viewport: { width: 1280, height: 800 } })
    await enter(page, { username: 'admin', password: adminPassword })
    const path = largeFile('film.mp4', size)
    await begin(page, path, 'film.mp4')
    await first.stop('SIGKILL')
    const second = await start()
    onTestFinished(async () => void (await second.stop()))
    await tray(page).waitFor({ state: 'detached', timeout: 60_000 })
    await expectStored(await signInByApi(second.url, 'admin', adminPassword), path)
  })
})

test('a large upload asks when its name was taken meanwhile, and nothing is sent again', async context => {
  onlyNightly(context)
  const { user, page, between } = await openThrough()
  const path = largeFile('film.mp4', size)
  await begin(page, path, 'film.mp4')
  await user.upload('first', { name: 'film.mp4' })
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await expectStored(user, path)
  expect(between.received()).toBeLessThan(size + 1_000_000)
})

test('a large upload whose name was taken is asked about again after a reload, and needs no file', async context => {
  onlyNightly(context)
  const { user, page, between } = await openThrough()
  const path = largeFile('film.mp4', size)
  await begin(page, path, 'film.mp4')
  await user.upload('first', { name: 'film.mp4' })
  await page.getByRole('dialog').waitFor()
  await page.reload()
  await uploadRow(page, 'film.mp4').getByText('8.95 of 8.95 MB sent').waitFor()
  expect(await tray(page).getByText('Choose the file again to continue').count()).toBe(0)
  await page.getByRole('button', { name: 'Continue film.mp4' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replace' }).click()
  await expectStored(user, path)
  expect(between.received()).toBeLessThan(size + 1_000_000)
})

test('a cancelled large upload goes on where it stopped after Undo', async context => {
  onlyNightly(context)
  const { user, page, between } = await openThrough()
  const path = largeFile('film.mp4', size)
  await begin(page, path, 'film.mp4')
  await page.getByRole('button', { name: 'Cancel film.mp4' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expectStored(user, path)
  expect(between.received()).toBeLessThan(size + 3_000_000)
})
