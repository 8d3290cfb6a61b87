/** Uppy, the uploader that many web pages use, in Chromium, with a key of the user. */
import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type Uppy from '@uppy/core'
import type Tus from '@uppy/tus'
import * as esbuild from 'esbuild'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { listUploads } from '../../src/api/tus.ts'
import { type BuiltUser, buildFile, buildKey, buildUser } from '../support/factories.ts'
import { desktop } from './browser.ts'
import { browser, openSite, server } from './site.ts'

declare global {
  /** What the bundle of the page offers. */
  var uppyParts: { Uppy: typeof Uppy; Tus: typeof Tus }
}

openSite()

const bytes = randomBytes(3_000_000)
const path = join(tmpdir(), `uppy-${process.pid}.bin`)
let bundle: string
beforeAll(async () => {
  await writeFile(path, bytes)
  const contents = `import Uppy from '@uppy/core'; import Tus from '@uppy/tus'; globalThis.uppyParts = { Uppy, Tus }`
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'iife',
  })
  bundle = outputFiles[0]?.text ?? expect.fail()
})
afterAll(() => rm(path, { force: true }))

/** A page of the server's origin with a field for files; its policy would not run another's script. */
async function openUppyPage(): Promise<Page> {
  const { page } = await browser.open({ ...desktop, bypassCSP: true })
  await page.goto('/robots.txt')
  await page.setContent('<input type="file">')
  await page.addScriptTag({ content: bundle })
  return page
}

/** Uploads the chosen file with Uppy in pieces; returns how many files it says have arrived, and the errors of the others. */
async function upload(page: Page, headers: Record<string, string>, meta: Record<string, string>) {
  await page.locator('input').setInputFiles(path)
  return page.evaluate(
    async ([sent, own]) => {
      const { Uppy: Core, Tus: Sender } = globalThis.uppyParts
      const options = { endpoint: '/api/uploads', headers: sent, chunkSize: 1_000_000, retryDelays: [0, 0, 0] }
      const uppy = new Core().use(Sender, { ...options, allowedMetaFields: ['name', ...Object.keys(own)] })
      const [file] = document.querySelector('input')?.files ?? []
      if (file === undefined) throw new Error('no file is chosen')
      uppy.addFile({ name: own.name ?? file.name, data: file, meta: own })
      const result = await uppy.upload()
      return { arrived: result?.successful?.length, errors: (result?.failed ?? []).map(({ error }) => error ?? '') }
    },
    [headers, meta] as const,
  )
}

async function openKey(): Promise<{ user: BuiltUser; headers: Record<string, string> }> {
  const user = await buildUser(server)
  return { user, headers: (await buildKey(server, user, ['files:upload'])).headers }
}

test('a file that Uppy sends arrives, also when a request breaks off in the middle', async () => {
  const { user, headers } = await openKey()
  const page = await openUppyPage()
  let pieces = 0
  await page.route('**/api/uploads/*', route => {
    if (route.request().method() !== 'PATCH') return route.fallback()
    pieces += 1
    return pieces === 2 ? route.abort('connectionreset') : route.fallback()
  })
  expect(await upload(page, headers, { name: 'film.bin' })).toEqual({ arrived: 1, errors: [] })
  expect(pieces).toBe(4)
  const [file] = (await user.call(listFiles, {})).files
  expect(file?.name).toBe('film.bin')
  const stored = await user.raw(`/api/files/${file?.id}/download`)
  expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true)
})

test('Uppy shows no success for an upload that could not become a file, and its bytes stay', async () => {
  const { user, headers } = await openKey()
  const page = await openUppyPage()
  await page.route('**/api/uploads/*', async route => {
    if (route.request().headers()['upload-offset'] === '2000000')
      await buildFile(user, { name: 'film.bin' }).catch(() => undefined)
    await route.fallback()
  })
  const { arrived, errors } = await upload(page, headers, { name: 'film.bin', on_conflict: 'fail' })
  expect(arrived).toBe(0)
  expect(errors).toHaveLength(1)
  expect((await user.call(listUploads, {})).uploads).toMatchObject([{ state: 'failed', received: bytes.length }])
})
