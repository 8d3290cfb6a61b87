/** Running uploads: their bytes count against the quota as they arrive, and are given back when the upload fails. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { trashFile } from '../../src/api/trash.ts'
import { updateUser } from '../../src/api/users.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { fileStart, multipartBody, multipartType, openParts, type Part } from '../support/multipart.ts'
import { explain } from '../support/query-plans.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead } from '../support/wire.ts'

const megabyte = 1024 ** 2
const quota = 10 * megabyte

let server: TestServer
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

interface Held {
  socket: Socket
  /** The bytes that the server has sent so far. */
  answer: string
}

/** Sends the head of an upload and leaves the upload open. */
async function open(client: BuiltUser, headers: Record<string, string>): Promise<Held> {
  const socket = await openSocket(server.url)
  const held: Held = { socket, answer: '' }
  socket.on('error', () => undefined)
  socket.on('data', (bytes: Buffer) => {
    held.answer += bytes
  })
  onTestFinished(() => {
    socket.destroy()
  })
  const all = { ...client.headers, 'content-type': multipartType, ...headers }
  socket.write(requestHead(server.url, 'POST', '/api/files/upload', all))
  return held
}

/** Begins an upload with a declared length, and sends its first bytes. */
async function hold(client: BuiltUser, declared: number, bytes: number, fields: Part[] = []): Promise<Held> {
  const held = await open(client, { 'content-length': String(declared) })
  held.socket.write(Buffer.concat([openParts(fields), fileStart('held.bin'), Buffer.alloc(bytes, 'h')]))
  return held
}

/** Begins an upload without a declared length, and sends its first bytes. */
async function holdChunked(client: BuiltUser, bytes: number): Promise<Held> {
  const held = await open(client, { 'transfer-encoding': 'chunked' })
  for (const chunk of [fileStart('held.bin'), Buffer.alloc(bytes, 'h')]) {
    held.socket.write(`${chunk.length.toString(16)}\r\n`)
    held.socket.write(chunk)
    held.socket.write('\r\n')
  }
  return held
}

const formEnd = 2

/** Sends a whole file without the last bytes of its form, and waits until the store has all of the file. */
async function holdWhole(client: BuiltUser, bytes: number): Promise<Held & { finish(): void }> {
  const before = await readStored()
  const form = multipartBody([{ name: 'file', fileName: 'whole.bin', value: randomBytes(bytes) }])
  const held = await open(client, { 'content-length': String(form.length) })
  held.socket.write(form.subarray(0, -formEnd))
  await expect.poll(readStored).toBe(before + bytes)
  return Object.assign(held, { finish: () => held.socket.write(form.subarray(-formEnd)) })
}

const refused = (all: readonly Held[]) => all.filter(({ answer }) => answer !== '')
const expectRefusal = ({ answer }: Held) => {
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain('"error":"quota_exceeded"')
}

async function readStored(): Promise<number> {
  let sum = 0
  for await (const { key } of server.deps.store.list()) sum += (await server.deps.store.size(key)) ?? 0
  return sum
}

const many = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)))

/** Uploads a file with this many bytes; returns the status of the answer. */
async function send(client: BuiltUser, bytes: number, fields: Part[] = [], later: Part[] = []): Promise<number> {
  const file: Part = { name: 'file', fileName: 'sent.bin', value: randomBytes(bytes) }
  const body = multipartBody([...fields, file, ...later])
  const headers = { 'content-type': multipartType }
  return (await client.raw('/api/files/upload', { method: 'POST', headers, body })).status
}

const replacing = (name: string): Part[] => [
  { name: 'parent_id', value: '' },
  { name: 'name', value: name },
  { name: 'on_conflict', value: 'replace' },
]

describe('unfinished uploads', () => {
  test.each<[string, (user: BuiltUser) => Promise<Held>]>([
    ['with a length', user => hold(user, 9 * megabyte, 4 * megabyte)],
    ['without one', user => holdChunked(user, 4 * megabyte)],
  ])('%s store no more than the quota together, and other users can still upload', async (_what, begin) => {
    const user = await buildUser(server, { storageQuota: quota })
    const before = await readStored()
    const all = await many(12, () => begin(user))
    await expect.poll(() => refused(all).length).toBe(10)
    for (const held of refused(all)) expectRefusal(held)
    await expect.poll(readStored).toBeLessThanOrEqual(before + quota)
    expect(await send(await buildUser(server, { storageQuota: quota }), 9 * megabyte)).toBe(201)
    expect(refused(all)).toHaveLength(10)
  })

  test('give their bytes back to the quota when their connections close, even after the last byte of the file', async () => {
    const user = await buildUser(server, { storageQuota: quota })
    const before = await readHoldings(server)
    const whole = await holdWhole(user, 5 * megabyte)
    const stored = await readStored()
    const part = await hold(user, 5 * megabyte, 4 * megabyte)
    await expect.poll(readStored).toBeGreaterThanOrEqual(stored + 2 * megabyte)
    expect(await send(user, 4 * megabyte)).toBe(413)
    whole.socket.destroy()
    part.socket.destroy()
    await expect.poll(() => send(user, quota)).toBe(201)
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(before.keys.length + 1)
  })

  test('leave the rest of the quota to other uploads, and are stored when they finish', async () => {
    const user = await buildUser(server, { storageQuota: quota })
    const held = await holdWhole(user, 4 * megabyte)
    expect(await send(user, 6 * megabyte + 1)).toBe(413)
    expect(await send(user, 6 * megabyte)).toBe(201)
    held.finish()
    await expect.poll(() => held.answer).toMatch(/^HTTP\/1\.1 201 /)
    expect((await user.call(getProfile, {})).storage_used).toBe(quota)
  })

  test('make an upload that would exceed the quota beside them fail at its first byte', async () => {
    const user = await buildUser(server, { storageQuota: quota })
    const held = await holdWhole(user, 6 * megabyte)
    const second = await hold(user, 8 * megabyte, 1)
    await expect.poll(() => second.answer).not.toBe('')
    expectRefusal(second)
    expect(held.answer).toBe('')
  })

  test('count even when each replaces a file, and small uploads still succeed', async () => {
    const user = await buildUser(server, { storageQuota: quota })
    await buildFile(user, { name: 'old.bin' }, randomBytes(9 * megabyte))
    const before = await readStored()
    const all = await many(8, () => hold(user, 9 * megabyte, 4 * megabyte, replacing('old.bin')))
    await expect.poll(() => refused(all).length).toBe(6)
    for (const held of refused(all)) expectRefusal(held)
    await expect.poll(readStored).toBeLessThanOrEqual(before + quota)
    expect(await send(user, 30_000)).toBe(201)
  })
})

describe('concurrent uploads', () => {
  test('that fill the quota exactly are all stored', async () => {
    const user = await buildUser(server, { storageQuota: quota })
    for (let round = 0; round < 3; round++) {
      const sizes = Array.from({ length: 8 }, (_, index) => (index + 1) * 100_000)
      const { storage_used } = await user.call(getProfile, {})
      const sum = sizes.reduce((total, size) => total + size, 0)
      await admin.call(updateUser, { id: user.id, storage_quota: storage_used + sum })
      expect(new Set(await Promise.all(sizes.map(size => send(user, size))))).toEqual(new Set([201]))
    }
  })

  test('of many files, eight at a time, are all stored when they just fit', async () => {
    const [size, count] = [50_000, 160]
    const user = await buildUser(server, { storageQuota: size * count })
    const statuses: number[] = []
    let begun = 0
    const work = async () => {
      while (begun++ < count) statuses.push(await send(user, size))
    }
    await many(8, work)
    expect(statuses).toEqual(Array.from({ length: count }, () => 201))
    expect((await user.call(getProfile, {})).storage_used).toBe(size * count)
  })

  test('of existing content each count in full, and are stored when they fit', async () => {
    const size = 2 * megabyte
    const user = await buildUser(server, { storageQuota: 5 * size })
    const bytes = randomBytes(size)
    await many(5, () => buildFile(user, {}, bytes))
    expect((await user.call(getProfile, {})).storage_used).toBe(5 * size)
    await expect(buildFile(user, {}, bytes)).rejects.toMatchObject({ code: 'quota_exceeded' })
  })

  test.each<[string, (name: string) => [Part[], Part[]]]>([
    ['before', name => [replacing(name), []]],
    ['behind', name => [[], replacing(name)]],
  ])('can replace the files of a full space with the fields %s the bytes', async (_where, fieldsOf) => {
    const sizes = Array.from({ length: 8 }, (_, index) => (index + 1) * 200_000)
    const user = await buildUser(server, { storageQuota: sizes.reduce((sum, size) => sum + size, 0) })
    for (const [index, size] of sizes.entries()) await buildFile(user, { name: `${index}.bin` }, randomBytes(size))
    const statuses = sizes.map((size, index) => send(user, size, ...fieldsOf(`${index}.bin`)))
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([201]))
  })
})

describe('a quota that changes during an upload', () => {
  const setQuota = (user: BuiltUser, bytes: number) => admin.call(updateUser, { id: user.id, storage_quota: bytes })

  test('lets a running upload use the added bytes', async () => {
    const user = await buildUser(server, { storageQuota: 2 * megabyte })
    const form = multipartBody([{ name: 'file', fileName: 'raised.bin', value: randomBytes(2.9 * megabyte) }])
    const before = await readStored()
    const held = await open(user, { 'content-length': String(form.length) })
    held.socket.write(form.subarray(0, 1.9 * megabyte))
    await expect.poll(readStored).toBeGreaterThan(before)
    await setQuota(user, quota)
    held.socket.write(form.subarray(1.9 * megabyte))
    await expect.poll(() => held.answer).toMatch(/^HTTP\/1\.1 201 /)
  })

  test('ends a running upload that exceeds it at the next request of another', async () => {
    const user = await buildUser(server, { storageQuota: quota })
    const before = await readStored()
    const held = await hold(user, 9 * megabyte, 4 * megabyte)
    await expect.poll(readStored).toBeGreaterThanOrEqual(before + 3 * megabyte)
    await setQuota(user, 2 * megabyte)
    expect(await send(user, 100_000)).toBe(413)
    held.socket.write(Buffer.alloc(megabyte))
    await expect.poll(() => held.answer).not.toBe('')
    expectRefusal(held)
    expect(await send(user, 100_000)).toBe(201)
  })

  test('allows a replacement of the same size even when the usage exceeds it', async () => {
    const user = await buildUser(server, { storageQuota: quota })
    await buildFile(user, { name: 'old.bin' }, randomBytes(4 * megabyte))
    await setQuota(user, megabyte)
    expect(await send(user, 4 * megabyte, replacing('old.bin'))).toBe(201)
    expect(await send(user, 4 * megabyte + 1, replacing('old.bin'))).toBe(413)
  })
})

describe('an upload that does not fit', () => {
  /** Sends an upload that is refused, and returns the plans of the queries that look for the file that makes room. */
  async function readPlans(user: BuiltUser, fields: Part[] = []): Promise<object[][]> {
    const asked = vi.spyOn(server.deps.db, 'row')
    const held = await hold(user, 12 * megabyte, 1, fields)
    await expect.poll(() => held.answer).not.toBe('')
    expectRefusal(held)
    const queries = asked.mock.calls.filter(([sql]) => sql.includes('ORDER BY'))
    asked.mockRestore()
    return Promise.all(queries.map(([sql, bind]) => explain(server, sql, bind)))
  }

  test('reads one entry of an index, whatever is in the trash', async () => {
    const user = await buildUser(server, { storageQuota: quota })
    const folder = await buildFolder(user)
    await buildFile(user, { parent_id: folder.id }, randomBytes(2 * megabyte))
    await user.call(trashFile, { id: folder.id })
    await buildFile(user, {}, randomBytes(megabyte))
    const place = {
      sqlite: { detail: 'SEARCH f USING COVERING INDEX files_sizes (space_id=? AND deleted_at=? AND is_directory=?)' },
      mariadb: { key: 'files_sizes', ref: 'const,const,const', Extra: 'Using where; Using index' },
    }
    expect(await readPlans(user)).toEqual([[expect.objectContaining(place[server.deps.db.dialect])]])
  })

  test('looks at no other file if the fields before it name the one to replace', async () => {
    const user = await buildUser(server, { storageQuota: quota })
    await buildFile(user, { name: 'old.bin' }, randomBytes(megabyte))
    await buildFile(user, { name: 'large.bin' }, randomBytes(9 * megabyte))
    for (const name of ['old.bin', 'new.bin']) {
      expect(await readPlans(user, replacing(name))).toEqual([])
      const held = await hold(user, 5 * megabyte, 1, replacing(name))
      await expect.poll(() => held.answer).not.toBe('')
      expectRefusal(held)
    }
    expect(await send(user, 9 * megabyte, replacing('large.bin'))).toBe(201)
  })
})
