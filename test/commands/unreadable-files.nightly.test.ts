/** Files whose content the disk has lost or cannot read: each gets an error, and all other files work. */
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { copyFile, listFiles } from '../../src/api/files.ts'
import { type ServeProcess, serveBinary } from '../support/binary.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildFolder } from '../support/factories.ts'
import { buildFailingDisk, unreadable, unreadableLater } from '../support/failing-disk.ts'
import { drawImage } from '../support/images.ts'

const password = 'some password'
const megabyte = 1024 ** 2

let dataDir: string
let server: ServeProcess
let admin: TestClient
let good: { id: number; content: Buffer }
let folder: number

beforeEach(async context => {
  const env = await buildFailingDisk(context)
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-eio-'))
  server = await serveBinary(['--data-dir', dataDir], { ...env, FILESTORE_ADMIN_PASSWORD: password })
  context.onTestFinished(async () => {
    await server.stop('SIGKILL')
    await rm(dataDir, { recursive: true, force: true })
  })
  admin = await signIn(server.url, 'admin', password)
  folder = (await buildFolder(admin)).id
  const content = randomBytes(100_000)
  good = { id: (await buildFile(admin, { name: 'good.bin', parent_id: folder }, content)).id, content }
})

const listBlobs = async () =>
  (await readdir(join(dataDir, 'storage', 'blobs'), { recursive: true, withFileTypes: true }))
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))

/** A file beside the good one, with its path in the store. */
async function buildStored(name: string, bytes: Buffer): Promise<{ id: number; path: string }> {
  const before = await listBlobs()
  const { id } = await buildFile(admin, { name, parent_id: folder }, bytes)
  const path = (await listBlobs()).find(candidate => !before.includes(candidate))
  if (path === undefined) throw new Error('the bytes are not in the store')
  return { id, path }
}

const get = (id: number, what: string, headers: Record<string, string> = {}) =>
  admin.raw(`/api/files/${id}/${what}`, { headers })
const readWhole = async (id: number, what: string) => Buffer.from(await (await get(id, what)).arrayBuffer())
const told = async (response: Response) => [response.status, (await response.json()).message]

async function expectAllElseWorks(broken: number): Promise<void> {
  const { files } = await admin.call(listFiles, { parent_id: folder })
  expect(files.map(({ id }) => id).sort()).toEqual([good.id, broken].sort())
  expect((await get(broken, 'download', {})).headers.get('content-disposition')).toBeNull()
  expect(await readWhole(good.id, 'download')).toEqual(good.content)
  expect((await admin.raw(`/api/files/${broken}/download`, { method: 'HEAD' })).status).toBe(200)
  expect((await admin.call(copyFile, { id: broken, parent_id: null })).file.size).toBeGreaterThan(0)
  expect((await admin.raw('/readyz')).status).toBe(200)
}

/** The log lines about an item, after the server has stopped. */
async function logOf(id: number): Promise<string[]> {
  await server.stop()
  const lines = String((await server.child).stderr)
    .split('\n')
    .filter(line => line.startsWith('{'))
  return lines
    .map(line => JSON.parse(line))
    .filter(entry => entry.item === id)
    .map(entry => entry.msg)
}

const lost = 'The content of this file is missing on the server'
const notRead = 'The content of this file cannot be read on the server'

test.each([
  ['missing', rm, lost, 'the content of a file is missing'],
  [
    'replaced by a folder',
    (path: string) => rm(path).then(() => mkdir(path)),
    lost,
    'the content of a file is missing',
  ],
  [
    'missing with its folder',
    (path: string) => rm(join(path, '..'), { recursive: true }),
    lost,
    'the content of a file is missing',
  ],
] as const)(
  'a content that is %s is answered with an error, and all other files work',
  async (_what, harm, message, logged) => {
    const picture = await drawImage(500, 500).as('tiff')
    const { id, path } = await buildStored('broken.tiff', Buffer.concat([picture, randomBytes(50_000)]))
    await harm(path)
    for (const what of ['download', 'thumbnail']) expect(await told(await get(id, what))).toEqual([500, message])
    expect(await told(await get(id, 'download', { range: 'bytes=10-20' }))).toEqual([500, message])
    await expect(readWhole(folder, 'archive')).rejects.toThrow()
    await expectAllElseWorks(id)
    expect(new Set(await logOf(id))).toEqual(new Set([logged]))
  },
)

test('an unreadable content is answered with an error before the download begins', async () => {
  const { id, path } = await buildStored(
    'broken.jpg',
    Buffer.concat([await drawImage(50, 50).as('jpeg'), randomBytes(50_000)]),
  )
  await chmod(path, unreadable)
  for (const what of ['download', 'preview', 'thumbnail'])
    expect(await told(await get(id, what))).toEqual([500, notRead])
  expect(await told(await get(id, 'download', { range: 'bytes=10-20' }))).toEqual([500, notRead])
  await expect(readWhole(folder, 'archive')).rejects.toThrow()
  await expectAllElseWorks(id)
  expect(new Set(await logOf(id))).toEqual(new Set(['the content of a file cannot be read']))
})

test('a content that becomes unreadable breaks the download off, so that it does not look complete', async () => {
  const content = randomBytes(5 * megabyte)
  const { id, path } = await buildStored('broken.bin', content)
  await chmod(path, unreadableLater)
  for (const answer of [
    await get(id, 'download'),
    await get(id, 'download', { range: 'bytes=100-' }),
    await get(folder, 'archive'),
  ]) {
    await expect(answer.arrayBuffer()).rejects.toThrow()
  }
  const part = await get(id, 'download', { range: 'bytes=100-999' })
  expect(Buffer.from(await part.arrayBuffer())).toEqual(content.subarray(100, 1000))
  expect((await admin.raw('/readyz')).status).toBe(200)
  expect(await readWhole(good.id, 'download')).toEqual(good.content)
  expect(new Set(await logOf(id))).toEqual(new Set(['the content of a file cannot be read']))
})

test.each([unreadable, unreadableLater])(
  'an unreadable content is readable again after the same content is uploaded',
  async mode => {
    const content = randomBytes(2 * megabyte)
    const { id, path } = await buildStored('broken.bin', content)
    await chmod(path, mode)
    const again = await buildFile(admin, {}, content)
    // Compare with equals: toEqual takes seconds for two million bytes.
    for (const each of [id, again.id]) expect((await readWhole(each, 'download')).equals(content)).toBe(true)
  },
)
