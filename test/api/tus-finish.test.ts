/** How an upload in several requests becomes a file: under the rules of an upload in one. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import type { InputOf } from '../../src/api/endpoint.ts'
import { getFile, getFileByPath } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { finishUpload, listUploads } from '../../src/api/tus.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildFolder,
  buildKey,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { askUpload, beginUpload, discard, head, idOf, patch } from '../support/tus.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterEach(async () => expect(await findMiscounts(server.deps.db)).toEqual([]))
afterAll(() => server.close())

const bytes = randomBytes(100_000)
const sha256 = createHash('sha256').update(bytes).digest('hex')
const fileIdOf = (response: Response): number => Number(idOf(response.headers.get('content-location') ?? ''))
const profileOf = (user: TestClient) => user.call(getProfile, {})

/** An upload with all but its last byte. */
async function nearlyAll(user: TestClient, metadata: Record<string, unknown> = {}): Promise<string> {
  return beginUpload(user, { length: bytes.length, metadata, body: bytes.subarray(0, -1) })
}
const lastByte = (user: TestClient, address: string) => patch(user, address, bytes.length - 1, bytes.subarray(-1))

interface Refusal {
  status: number
  /** An upload with all but its last byte. */
  begin(user: BuiltUser): Promise<string>
  /** What makes the upload impossible before its last byte. */
  spoil(user: BuiltUser): Promise<unknown>
  /** What makes it possible again. */
  mend: InputOf<typeof finishUpload>
}

const toRoot = { id: '', parent_id: null, name: 'saved.bin' }

const refusals: Record<string, Refusal> = {
  'the folder is in the trash': {
    status: 404,
    begin: async user => nearlyAll(user, { parent_id: (await buildFolder(user, 'folder')).id }),
    spoil: async user => {
      const { file } = await user.call(getFileByPath, { path: '/folder' })
      await user.call(trashFile, { id: file.id })
    },
    mend: toRoot,
  },
  'the name is taken': {
    status: 409,
    begin: user => nearlyAll(user, { name: 'taken.bin', on_conflict: 'fail' }),
    spoil: user => buildFile(user, { name: 'taken.bin' }),
    mend: { ...toRoot, name: 'taken.bin', on_conflict: 'replace' },
  },
  'another content would be replaced': {
    status: 412,
    begin: async user => {
      await buildFile(user, { name: 'known.bin' }, 'known')
      const ifMatch = `"${createHash('sha256').update('known').digest('hex')}"`
      return nearlyAll(user, { name: 'known.bin', on_conflict: 'replace', if_match: ifMatch })
    },
    spoil: user => buildFile(user, { name: 'known.bin', on_conflict: 'replace' }, 'changed'),
    mend: { ...toRoot, name: 'known.bin', if_match: '*' },
  },
}

describe('a refusal at the end', () => {
  test.each(Object.entries(refusals))('since %s is told, and never success', async (_why, refusal) => {
    const user = await buildUser(server)
    const address = await refusal.begin(user)
    await refusal.spoil(user)
    expect((await lastByte(user, address)).status).toBe(refusal.status)
    for (const _again of [1, 2]) {
      expect((await head(user, address)).status).toBe(409)
      expect((await patch(user, address, bytes.length, Buffer.alloc(0))).status).toBe(refusal.status)
    }
    const [upload] = (await user.call(listUploads, {})).uploads
    expect(upload).toMatchObject({ state: 'failed', received: bytes.length, error: { message: expect.any(String) } })
  })

  test.each(Object.entries(refusals))('since %s leaves the bytes, for another place', async (_why, refusal) => {
    const user = await buildUser(server)
    const address = await refusal.begin(user)
    await refusal.spoil(user)
    await lastByte(user, address)
    const { file } = await user.call(finishUpload, { ...refusal.mend, id: idOf(address) })
    const stored = await user.raw(`/api/files/${file.id}/download`)
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true)
    expect((await user.call(finishUpload, { id: idOf(address) })).file.id).toBe(file.id)
    expect((await head(user, address)).status).toBe(200)
    expect((await profileOf(user)).storage_reserved).toBe(0)
  })
})

describe('a refusal', () => {
  test('of what can be known is told before the first byte', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user, 'gone')
    await user.call(trashFile, { id: folder.id })
    await buildFile(user, { name: 'here.bin' })
    const other = await buildFolder(await buildUser(server))
    const ask = async (metadata: Record<string, unknown>) => (await askUpload(user, { length: 9, metadata })).status
    expect(await ask({ parent_id: folder.id })).toBe(404)
    expect(await ask({ parent_id: other.id })).toBe(404)
    expect(await ask({ name: 'here.bin', on_conflict: 'fail' })).toBe(409)
    expect(await ask({ name: 'here.bin', on_conflict: 'replace', if_match: '"other"' })).toBe(412)
    expect(await ask({ metadata: JSON.stringify([{ field_id: 99_999_999, value: 'x' }]) })).toBe(400)
    expect((await user.call(listUploads, {})).uploads).toEqual([])
  })

  test('for missing metadata comes at the beginning, and at the end if it was not required before', async () => {
    const user = await buildUser(server)
    const field = await buildField(admin, { is_required: true })
    const address = await nearlyAll(user)
    await turnSettings(admin, { metadata_enabled: true, metadata_required_on_upload: true })
    try {
      expect((await askUpload(user, { length: 9 })).status).toBe(400)
      expect((await lastByte(user, address)).status).toBe(400)
      expect((await head(user, address)).status).toBe(409)
      const metadata = [{ field_id: field.id, value: 'a value' }]
      const { file } = await user.call(finishUpload, { id: idOf(address), metadata })
      expect((await user.call(getFile, { id: file.id })).file.metadata).toMatchObject([{ value: 'a value' }])
    } finally {
      await turnSettings(admin, { metadata_enabled: false, metadata_required_on_upload: false })
    }
  })
})

describe('the hash of the whole', () => {
  test('that is right makes the file, whatever its case', async () => {
    const user = await buildUser(server)
    const address = await nearlyAll(user, { sha256: sha256.toUpperCase() })
    expect((await lastByte(user, address)).status).toBe(204)
  })

  test.each([bytes, Buffer.from('few')])(
    'that is wrong ends the upload with 460, and leaves nothing (%#)',
    async sent => {
      const user = await buildUser(server)
      const address = await beginUpload(user, { length: sent.length, metadata: { sha256: '0'.repeat(64) } })
      const last = await patch(user, address, 0, sent)
      expect(await failure(last)).toMatchObject({ status: 460, error: 'checksum_mismatch' })
      expect((await head(user, address)).status).toBe(404)
      expect((await user.call(listUploads, {})).uploads).toEqual([])
      expect(await profileOf(user)).toMatchObject({ storage_used: 0, storage_reserved: 0 })
    },
  )

  test('may be told at the end', async () => {
    const user = await buildUser(server)
    const body = { length: bytes.length, metadata: { finish: 'explicit' }, body: bytes }
    const [right, wrong] = [await beginUpload(user, body), await beginUpload(user, body)]
    await expect(user.call(finishUpload, { id: idOf(wrong), sha256: '0'.repeat(64) })).rejects.toMatchObject({
      status: 460,
    })
    expect((await user.call(finishUpload, { id: idOf(right), sha256 })).file.size).toBe(bytes.length)
  })
})

describe('an upload that waits to be told to finish', () => {
  test('is no file with its last byte, and becomes one under another name and in another folder', async () => {
    const user = await buildUser(server)
    const folder = await buildFolder(user)
    const address = await nearlyAll(user, { finish: 'explicit' })
    await expect(user.call(finishUpload, { id: idOf(address) })).rejects.toMatchObject({ code: 'offset_mismatch' })
    const last = await lastByte(user, address)
    expect([last.status, last.headers.get('content-location')]).toEqual([204, null])
    expect((await head(user, address)).headers.get('upload-offset')).toBe(String(bytes.length))
    const given = { id: idOf(address), parent_id: folder.id, name: 'told.bin' }
    const first = await user.raw(`/api/uploads/${given.id}/finish`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ parent_id: folder.id, name: 'told.bin' }),
    })
    expect(first.status).toBe(201)
    const { file } = await user.call(finishUpload, given)
    expect(file).toMatchObject({ name: 'told.bin', parent_id: folder.id, size: bytes.length })
  })
})

test('content that waits for approval waits here, too', async () => {
  const user = await buildUser(server)
  await turnSettings(admin, { validation_enabled: true })
  try {
    const last = await lastByte(user, await nearlyAll(user))
    const { file } = await user.call(getFile, { id: fileIdOf(last) })
    expect(file.validation_status).toBe('pending')
  } finally {
    await turnSettings(admin, { validation_enabled: false })
  }
})

test('equal content is stored once, and small content beside its row', async () => {
  const user = await buildUser(server)
  const first = await lastByte(user, await nearlyAll(user))
  // What earlier uploads have left is removed meanwhile.
  const { keys: before } = await readHoldings(server)
  const second = await lastByte(user, await nearlyAll(user))
  expect(fileIdOf(second)).not.toBe(fileIdOf(first))
  expect((await askUpload(user, { length: 3, body: Buffer.from('few') })).status).toBe(201)
  const contents = await server.deps.db.rows('SELECT DISTINCT blob_id FROM files WHERE id IN ($1, $2)', [
    fileIdOf(first),
    fileIdOf(second),
  ])
  expect(contents).toHaveLength(1)
  await expect.poll(async () => (await readHoldings(server)).keys.length).toBeLessThanOrEqual(before.length)
  const names = await server.deps.db.rows('SELECT id FROM uploads WHERE blob_key IS NOT NULL AND user_id = $1', [
    user.id,
  ])
  expect(names).toEqual([])
})

test('a key for one folder uploads there, and knows nothing of other uploads', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user)
  const scoped = await buildKey(server, user, ['files:upload'], 'script', { scope_id: folder.id })
  const elsewhere = await nearlyAll(user)
  expect((await head(scoped, elsewhere)).status).toBe(404)
  expect((await discard(scoped, elsewhere)).status).toBe(404)
  expect((await askUpload(scoped, { length: 1, metadata: { parent_id: (await buildFolder(user)).id } })).status).toBe(
    404,
  )
  const address = await nearlyAll(scoped)
  expect((await scoped.call(listUploads, {})).uploads.map(({ id, path }) => ({ id, path }))).toEqual([
    { id: idOf(address), path: '/' },
  ])
  const last = await lastByte(scoped, address)
  expect((await user.call(getFile, { id: fileIdOf(last) })).file.parent_id).toBe(folder.id)
})

test('a key for one folder cannot finish an upload elsewhere, and then still can where it is', async () => {
  const user = await buildUser(server)
  const [folder, outside] = [await buildFolder(user), await buildFolder(user)]
  const scoped = await buildKey(server, user, ['files:upload'], 'script', { scope_id: folder.id })
  const address = await nearlyAll(scoped, { finish: 'explicit', name: 'told.bin' })
  await lastByte(scoped, address)
  const refused = scoped.call(finishUpload, { id: idOf(address), parent_id: outside.id, name: 'other.bin' })
  await expect(refused).rejects.toMatchObject({ status: 404, message: 'Folder not found' })
  expect((await head(scoped, address)).status).toBe(200)
  const { file } = await scoped.call(finishUpload, { id: idOf(address) })
  expect(file).toMatchObject({ name: 'told.bin', parent_id: folder.id })
})
