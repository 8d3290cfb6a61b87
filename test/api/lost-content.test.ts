/** Bytes that the store has lost or damaged are restored by the next upload of the same content. */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { type Holdings, readHoldings } from '../support/holdings.ts'
import { drawImage } from '../support/images.ts'
import { onlyInFolder, onlyOneServer } from '../support/only-on.ts'
import { largeContent } from '../support/planting.ts'
import { s3Service } from '../support/s3-service.ts'
import { startServer } from '../support/server.ts'
import { flipMiddle, overwrite } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let content: Buffer
let before: Holdings
/** The key of the content in the store. */
let key: string
let fileId: number

beforeAll(async () => {
  server = await startServer()
})
beforeEach(async () => {
  user = await buildUser(server)
  content = largeContent()
  before = await readHoldings(server)
  fileId = (await buildFile(user, { name: 'lost.bin' }, content)).id
  key = (await readHoldings(server)).keys.find(candidate => !before.keys.includes(candidate)) ?? ''
})
afterAll(() => server.close())

/** A remote store does not read what it has, but replaces it, in the background. */
const untilMended = async () => s3Service === undefined || server.deps.removals.settled()

const download = async (id: number): Promise<Buffer | number> => {
  const response = await user.raw(`/api/files/${id}/download`)
  return response.ok ? Buffer.from(await response.arrayBuffer()) : response.status
}

describe.each([
  ['gone', () => server.deps.store.remove(key)],
  ['cut short', () => overwrite(server, key, bytes => bytes.subarray(0, 1000))],
  ['more than were stored', () => overwrite(server, key, bytes => Buffer.concat([bytes, Buffer.from('more')]))],
  ['others', () => overwrite(server, key, flipMiddle)],
])('content whose bytes are %s', (_how, lose) => {
  beforeEach(async () => {
    await lose()
    expect(await download(fileId)).not.toEqual(content)
  })

  test('is restored in every file by an upload of the same content', async () => {
    const again = await buildFile(user, {}, content)
    await untilMended()
    expect(await download(again.id)).toEqual(content)
    expect(await download(fileId)).toEqual(content)
    const { keys, blobs } = await readHoldings(server)
    expect(blobs).toBe(before.blobs + 1)
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(before.keys.length + 1)
    expect(keys).not.toEqual(before.keys)
  })

  test('is restored when the upload replaces the file itself', async () => {
    const again = await buildFile(user, { name: 'lost.bin', on_conflict: 'replace' }, content)
    expect(again.id).toBe(fileId)
    await untilMended()
    expect(await download(fileId)).toEqual(content)
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(before.keys.length + 1)
  })

  test('is restored by ten concurrent uploads, of which the store keeps one', async () => {
    const files = await Promise.all(Array.from({ length: 10 }, () => buildFile(user, {}, content)))
    await untilMended()
    for (const { id } of files) expect(await download(id)).toEqual(content)
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(before.keys.length + 1)
  })
})

test('content with more bytes than were stored is refused before the first of them', async () => {
  const keys = async () => (await readHoldings(server)).keys
  const held = await keys()
  const { id } = await buildFile(user, { name: 'lost.txt' }, largeContent())
  const own = (await keys()).find(candidate => !held.includes(candidate)) ?? ''
  await overwrite(server, own, bytes => Buffer.concat([bytes, Buffer.from('more')]))
  const statusOf = async (path: string, headers = {}) => (await user.raw(path, { headers })).status
  expect(await statusOf(`/api/files/${id}/download`)).toBe(500)
  expect(await statusOf(`/api/files/${id}/download`, { range: 'bytes=0-9' })).toBe(500)
  expect(await statusOf(`/api/files/${id}/preview`)).toBe(500)
})

test("damaged content of another user's is whole for whoever uploads it, also while the store fails", async context => {
  onlyOneServer('process', context)
  const other = await buildUser(server)
  await overwrite(server, key, flipMiddle)
  const { store } = server.deps
  const spies = [vi.spyOn(store, 'replace'), vi.spyOn(store, 'remove')]
  for (const spy of spies) spy.mockRejectedValue(new Error('the store fails'))
  try {
    const again = await buildFile(other, {}, content)
    await server.deps.removals.settled()
    expect(Buffer.from(await (await other.raw(`/api/files/${again.id}/download`)).arrayBuffer())).toEqual(content)
    expect(await download(fileId)).toEqual(content)
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
})

test("bytes that another user's upload replaces stay for those who are about to read them", async () => {
  await buildFile(await buildUser(server), {}, content)
  const { store, removals } = server.deps
  const isStored = async () => {
    for await (const stored of store.list()) if (stored.key === key) return true
    return false
  }
  expect(await isStored()).toBe(true)
  await removals.settled()
  await expect.poll(isStored).toBe(false)
})

describe.each([
  ['gone', 'DELETE FROM blob_bytes WHERE blob_id = $1'],
  ['others', "UPDATE blob_bytes SET bytes = CAST('others' AS BINARY) WHERE blob_id = $1"],
])('content whose bytes in the database are %s', (_how, statement) => {
  test('is restored by an upload of the same content, alone or among others', async () => {
    const { db } = server.deps
    const small = Buffer.from(`small ${_how}`)
    const { id } = await buildFile(user, {}, small)
    const lose = async () => {
      const row = await db.row<{ blob_id: number }>('SELECT blob_id FROM files WHERE id = $1', [id])
      const sql = db.dialect === 'sqlite' ? statement.replace('BINARY', 'BLOB') : statement
      await db.touch(() => db.change(sql, [row?.blob_id ?? 0]))
      expect(await download(id)).not.toEqual(small)
    }
    await lose()
    await buildFile(user, {}, small)
    expect(await download(id)).toEqual(small)
    await lose()
    await Promise.all(
      Array.from({ length: 20 }, (_, index) => buildFile(user, {}, index === 7 ? small : `other ${index}`)),
    )
    expect(await download(id)).toEqual(small)
  })
})

/** Runs a statement on the content of a file. */
async function spoilContent(id: number, set: string): Promise<void> {
  const { db } = server.deps
  const row = await db.row<{ blob_id: number }>('SELECT blob_id FROM files WHERE id = $1', [id])
  await db.touch(() => db.change(`UPDATE blobs SET ${set} WHERE id = $1`, [row?.blob_id ?? 0]))
}

test('content that is said to be in the database, and is not, is restored by an upload of the same content', async () => {
  await spoilContent(fileId, "place = 'inline'")
  await buildFile(user, {}, content)
  expect(await download(fileId)).toEqual(content)
})

test.each([
  ['alone', 0],
  ['among others', 20],
])(
  'content that is said to be in the store, and is not, is restored by an upload of the same content, %s',
  async (_how, others) => {
    const small = Buffer.from(`small and misplaced ${others}`)
    const { id } = await buildFile(user, {}, small)
    await spoilContent(id, "place = 'store'")
    await Promise.all([
      buildFile(user, {}, small),
      ...Array.from({ length: others }, (_, index) => buildFile(user, {}, `other ${others} ${index}`)),
    ])
    expect(await download(id)).toEqual(small)
  },
)

test('a thumbnail whose bytes are lost is drawn again by the next request but one', async context => {
  // With an object store it is in its row.
  onlyInFolder(context)
  const picture = await buildFile(user, { name: 'kept.png' }, await drawImage(70, 71).as('png'))
  const uploaded = await readHoldings(server)
  const look = async () => (await user.raw(`/api/files/${picture.id}/thumbnail`)).status
  expect(await look()).toBe(200)
  const thumbnail = (await readHoldings(server)).keys.find(candidate => !uploaded.keys.includes(candidate))
  await server.deps.store.remove(thumbnail ?? '')
  expect([await look(), await look()]).toEqual([503, 200])
})
