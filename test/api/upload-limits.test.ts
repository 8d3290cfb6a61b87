/** Limits of an upload: the size of a file, and the quota; a refused upload leaves nothing. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { listFiles } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { multipartBody, multipartType, type Part } from '../support/multipart.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const limit = 1024 ** 2

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer({ maxFileSize: '1MB' })
  user = await buildUser(server)
})
afterAll(() => server.close())

const send = (client: BuiltUser, ...parts: Part[]) =>
  client.raw('/api/files/upload', {
    method: 'POST',
    headers: { 'content-type': multipartType },
    body: multipartBody(parts),
  })
const used = async (client: BuiltUser) => (await client.call(getProfile, {})).storage_used

describe('the size of a file', () => {
  test('may be exactly the limit, whatever the size of the form around it', async () => {
    const padding: Part = { name: 'name', value: 'exact.bin' }
    const response = await send(user, padding, { name: 'file', fileName: 'x', value: Buffer.alloc(limit, 1) })
    expect(response.status).toBe(201)
  })

  test('is 413 one byte beyond the limit, and leaves nothing', async () => {
    const before = await readHoldings(server)
    const response = await send(user, { name: 'file', fileName: 'x.bin', value: Buffer.alloc(limit + 1, 1) })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ error: 'file_too_large', message: 'File is larger than 1MB' })
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test('is limited to 32MB by default', async () => {
    const other = await startServer()
    try {
      const owner = await buildUser(other)
      const before = await readHoldings(other)
      const tooMuch = send(owner, { name: 'file', fileName: 'x.bin', value: Buffer.alloc(32 * limit + 1) })
      expect(await (await tooMuch).json()).toMatchObject({
        error: 'file_too_large',
        message: 'File is larger than 32MB',
      })
      await expect.poll(() => readHoldings(other)).toEqual(before)
      expect((await buildFile(owner, {}, Buffer.alloc(32 * limit))).size).toBe(32 * limit)
    } finally {
      await other.close()
    }
  })
})

describe('the quota', () => {
  const quota = 100_000

  test('may be filled exactly, and then allows only empty files', async () => {
    const owner = await buildUser(server, { storageQuota: quota })
    await buildFile(owner, {}, randomBytes(60_000))
    await buildFile(owner, {}, randomBytes(40_000))
    expect(await used(owner)).toBe(quota)
    await expect(buildFile(owner, {}, 'x')).rejects.toMatchObject({ status: 413, code: 'quota_exceeded' })
    expect((await buildFile(owner, {}, '')).size).toBe(0)
    expect(await used(owner)).toBe(quota)
  })

  test.each([1, 20_000, 60_000, 900_000])(
    'refuses an upload that exceeds it by %i bytes, and leaves nothing',
    async excess => {
      const owner = await buildUser(server, { storageQuota: quota })
      await buildFile(owner, {}, randomBytes(quota - 10_000))
      const before = await readHoldings(server)
      await expect(buildFile(owner, {}, randomBytes(10_000 + excess))).rejects.toMatchObject({
        status: 413,
        code: 'quota_exceeded',
        message: 'Storage quota exceeded',
      })
      await expect.poll(() => readHoldings(server)).toEqual(before)
      expect((await owner.call(listFiles, {})).total).toBe(1)
    },
  )

  test('counts every copy in full, and trashed files, too', async () => {
    const owner = await buildUser(server, { storageQuota: quota })
    const bytes = randomBytes(40_000)
    const first = await buildFile(owner, {}, bytes)
    await buildFile(owner, {}, bytes)
    await owner.call(trashFile, { id: first.id })
    expect(await used(owner)).toBe(80_000)
    await expect(buildFile(owner, {}, bytes)).rejects.toMatchObject({ code: 'quota_exceeded' })
  })

  test('allows a replacement that fits, even when old and new content together would not', async () => {
    const owner = await buildUser(server, { storageQuota: quota })
    await buildFile(owner, { name: 'f' }, randomBytes(80_000))
    await buildFile(owner, { name: 'f', on_conflict: 'replace' }, randomBytes(quota))
    expect(await used(owner)).toBe(quota)
    const rule: Part = { name: 'on_conflict', value: 'replace' }
    const response = await send(owner, { name: 'file', fileName: 'f', value: randomBytes(99_000) }, rule)
    expect(response.status).toBe(201)
    const tooMuch = send(owner, { name: 'file', fileName: 'f', value: randomBytes(quota + 1) }, rule)
    expect(await failure(await tooMuch)).toEqual({ status: 413, error: 'quota_exceeded' })
    expect(await used(owner)).toBe(99_000)
  })

  test('holds for concurrent uploads', async () => {
    const owner = await buildUser(server, { storageQuota: quota })
    const before = await readHoldings(server)
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => buildFile(owner, {}, randomBytes(34_000))))
    const failed = answers.filter(answer => answer.status === 'rejected')
    expect(failed).toHaveLength(6)
    for (const { reason } of failed) expect(reason).toMatchObject({ status: 413, code: 'quota_exceeded' })
    await expect
      .poll(() => readHoldings(server))
      .toEqual({
        ...before,
        files: before.files + 2,
        blobs: before.blobs + 2,
        itemCount: before.itemCount + 2,
        storageUsed: before.storageUsed + 68_000,
        keys: expect.objectContaining({ length: before.keys.length + 2 }),
      })
  })

  test('does not limit folders by their bytes', async () => {
    const owner = await buildUser(server, { storageQuota: 0 })
    const response = await owner.raw('/api/files/folders', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"weightless"}',
    })
    expect(response.status).toBe(201)
    expect(await used(owner)).toBe(0)
  })
})
