/** `filestore storage move`: bytes go from one store to another beside a server that reads and writes. */
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FileDetails } from '../../src/api/items.ts'
import { openLocalStore } from '../../src/blobs/local.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { movePrefix } from '../../src/db/leases.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { largeContent } from '../support/planting.ts'
import { type S3Server, s3Environment, startS3Server } from '../support/s3-server.ts'
import { startServer } from '../support/server.ts'
import { flipByte } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { expectRefusal, runOn } from './administration.ts'

let bucket: S3Server
let folder: string
let server: TestServer
let user: BuiltUser

/** A server whose bytes move from a folder to a bucket. */
beforeEach(async () => {
  bucket = await startS3Server({ pageSize: 3 })
  folder = await mkdtemp(join(tmpdir(), 'filestore-old-'))
  server = await startServer({ storage: bucket.flag, storageFrom: folder })
  user = await buildUser(server)
})
afterEach(async () => {
  await server.close()
  await bucket.close()
  await rm(folder, { recursive: true, force: true })
})

const move = (from: string, to: string, ...more: string[]) =>
  runOn(server, ['storage', 'move', '--storage-from', from, '--storage', to, ...more], '', s3Environment)
const out = (...more: string[]) => move(folder, bucket.flag, ...more)
const back = (...more: string[]) => move(bucket.flag, folder, ...more)

const inBucket = (): string[] => [...bucket.objects.keys()].filter(key => key.startsWith('here/b/'))
const isMark = (key: string): boolean => key.endsWith('/store-id')
async function inFolder(): Promise<string[]> {
  const entries = await readdir(join(folder, 'blobs'), { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

interface Stored {
  file: FileDetails
  content: Buffer
}

async function store(name: string): Promise<Stored> {
  const content = largeContent()
  return { file: await buildFile(user, { name }, content), content }
}

async function expectWhole(stored: readonly Stored[]): Promise<void> {
  for (const { file, content } of stored) {
    const response = await user.raw(`/api/files/${file.id}/download`)
    expect(response.status).toBe(200)
    expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
  }
}

test('all bytes go to a folder and back to the bucket, while the server reads and takes uploads', async () => {
  const stored: Stored[] = []
  for (let n = 0; n < 12; n++) stored.push(await store(`${n}.bin`))
  const image = await buildFile(user, { name: 'image.png' }, await drawImage(640, 480).as('png'))
  expect((await user.raw(`/api/files/${image.id}/thumbnail`)).status).toBe(200)
  // The image and its thumbnail are in the database.
  const count = inBucket().length
  expect(count).toBe(12)

  const [moved, late] = await Promise.all([back('--json'), store('late.bin'), expectWhole(stored)])
  expect(moved).toMatchObject({ stderr: '' })
  expect(JSON.parse(moved.stdout)).toMatchObject({ damaged: 0, there: 0 })
  stored.push(late)
  await back()
  expect(inBucket()).toEqual([])
  expect(await inFolder()).toHaveLength(count + 1)
  await expectWhole(stored)

  const returned = await out('--verify')
  expect(returned).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(`${count + 1} contents of`) })
  expect(await inFolder()).toEqual([])
  expect(inBucket()).toHaveLength(count + 1)
  await expectWhole(stored)
  expect((await user.raw(`/api/files/${image.id}/thumbnail`)).status).toBe(200)
})

test('what is damaged is named and stays, and all else moves', async () => {
  const [spoilt, sound] = [await store('spoilt.bin'), await store('sound.bin')]
  await back()
  const row = await server.deps.db.row<{ id: number; key: string }>(
    'SELECT b.id, b.`key` FROM blobs b JOIN files f ON f.blob_id = b.id WHERE f.id = $1',
    [spoilt.file.id],
  )
  const path = (await inFolder()).find(name => name.endsWith(row?.key ?? '-')) ?? expect.fail()
  await flipByte(path, 20_000)
  const outcome = await out()
  expect(outcome).toMatchObject({ code: 11, stdout: expect.stringContaining('1 damaged') })
  expect(outcome.stderr).toContain(`content ${row?.id} has changed`)
  expect(await inFolder()).toEqual([path])
  expect(inBucket()).toHaveLength(1)
  await expectWhole([sound])
})

test('--keep leaves all in the old store, and the next run brings again what has changed in the new one', async () => {
  const stored = [await store('a.bin'), await store('b.bin')]
  await back()
  expect((await out('--keep')).code).toBe(0)
  expect(await inFolder()).toHaveLength(2)
  const [first = ''] = inBucket()
  const object = bucket.objects.get(first) ?? expect.fail()
  object.bytes = Buffer.from(object.bytes.map((byte, at) => (at === 9 ? byte ^ 1 : byte)))
  const outcome = await out()
  expect(outcome).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('1 content of') })
  expect(outcome.stdout).toContain('1 there already')
  expect(await inFolder()).toEqual([])
  await expectWhole(stored)
})

test('with --verify, what does not arrive whole in the new store stays in the old one', async () => {
  await store('a.bin')
  await back()
  bucket.decide = name => {
    const object = bucket.objects.get(inBucket()[0] ?? '')
    if (name.startsWith('GET') && object !== undefined) object.bytes = Buffer.alloc(object.bytes.length)
    return 'serve'
  }
  const outcome = await out('--verify')
  expect(outcome).toMatchObject({ code: 11, stdout: expect.stringContaining('1 damaged') })
  expect(outcome.stderr).toContain('has changed in the new store')
  expect(await inFolder()).toHaveLength(1)
})

test('fsck looks at the bytes that are read, also where the old store has them right', async () => {
  const { file } = await store('a.bin')
  await back()
  expect((await out('--keep')).code).toBe(0)
  const object = bucket.objects.get(inBucket()[0] ?? '') ?? expect.fail()
  object.bytes = object.bytes.subarray(0, 1000)
  const places = ['--storage-from', folder, '--storage', bucket.flag]
  const { code, stdout } = await runOn(server, ['fsck', '--json', ...places], '', s3Environment)
  const findings = [expect.objectContaining({ problem: 'content-size', file_id: file.id })]
  expect({ code, told: JSON.parse(stdout) }).toMatchObject({ code: 11, told: { findings } })
})

test('a run that the store breaks off is gone on with by the next', async () => {
  const stored = [await store('a.bin'), await store('b.bin'), await store('c.bin')]
  expect(await back()).toMatchObject({ code: 0, stderr: '' })
  let left = 4
  bucket.decide = name => {
    left -= /^(PUT|POST|DELETE)/.test(name) ? 1 : 0
    return left >= 0 ? 'serve' : { status: 507, code: 'InsufficientStorage' }
  }
  expect((await out()).code).not.toBe(0)
  bucket.decide = () => 'serve'
  await expectWhole(stored)
  expect((await out()).code).toBe(0)
  expect(await inFolder()).toEqual([])
  await expectWhole(stored)
})

test('bytes that no file has stay, with an exit code of their own', async () => {
  await store('a.bin')
  expect(await back()).toMatchObject({ code: 0, stderr: '' })
  const old = await openLocalStore(folder)
  await old.put(newBlobKey(), (async function* () {})())
  expect(await out()).toMatchObject({ code: 10, stdout: expect.stringContaining('1 without a file left') })
  expect(await inFolder()).toHaveLength(1)
})

test('nothing is moved back while another run moves it, and a second run the same way may help', async () => {
  const stored = [await store('a.bin'), await store('b.bin')]
  expect(await out()).toMatchObject({ code: 0 })
  const slow = back('--rate', '20KB', '--verify')
  await expect.poll(() => server.deps.leases.isHeld(movePrefix)).toBe(true)
  expectRefusal(await out(), 5, 'Another run moves bytes')
  const [first, second] = await Promise.all([slow, back()])
  expect([first, second]).toMatchObject([{ code: 0 }, { code: 0 }])
  expect(inBucket()).toEqual([])
  await expectWhole(stored)
  expect(await out()).toMatchObject({ code: 0 })
  await expectWhole(stored)
})

test('nothing is moved between two names of one store', async () => {
  await store('a.bin')
  await back()
  const link = join(server.dataDir, 'link')
  await symlink(folder, link)
  expectRefusal(await move(folder, link), 2, 'are the same store')
  expectRefusal(await move(folder, folder), 2, '--storage-from is the same place as --storage')
  expectRefusal(await move(join(folder, 'nowhere'), bucket.flag), 2, '--storage-from: there is no folder at')
  expectRefusal(await runOn(server, ['storage', 'move'], '', s3Environment), 2, 'Give --storage-from, too')
  expect(await inFolder()).toHaveLength(1)
})

test('bytes are moved while a server has marked one of the stores, and not yet the other', async () => {
  await store('a.bin')
  await expect.poll(() => [...bucket.objects.keys()].some(isMark)).toBe(true)
  const old = await openLocalStore(folder)
  await expect.poll(() => old.readMark()).not.toBeNull()
  for (const key of [...bucket.objects.keys()].filter(isMark)) bucket.objects.delete(key)
  expect(await back()).toMatchObject({ code: 0, stderr: '' })
  expect(await inFolder()).toHaveLength(1)
})

test('nothing is moved into the store of another database', async () => {
  await store('a.bin')
  expect(await back()).toMatchObject({ code: 0, stderr: '' })
  const old = await openLocalStore(folder)
  await old.saveMark({ id: 7, sweeps: 1 })
  const other = await mkdtemp(join(tmpdir(), 'filestore-other-'))
  await (await openLocalStore(other)).saveMark({ id: 8, sweeps: 1 })
  expectRefusal(await move(folder, other), 5, 'is the store of another database')
  expect(await inFolder()).toHaveLength(1)
  await rm(other, { recursive: true })
})
