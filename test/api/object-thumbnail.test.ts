/** Thumbnails of a server whose bytes are in an object store: small ones are in their rows, and the store is not asked. */
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { runOn } from '../commands/administration.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { largeContent } from '../support/planting.ts'
import { type S3Server, s3Environment, startS3Server } from '../support/s3-server.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let store: S3Server
let server: TestServer
let user: BuiltUser

beforeAll(async () => {
  store = await startS3Server()
  server = await startServer({ storage: store.flag, cacheSize: '0' })
  user = await buildUser(server)
})
beforeEach(() => {
  store.decide = () => 'serve'
})
afterAll(async () => {
  await server.close()
  await store.close()
})

const keys = () => [...store.objects.keys()].filter(key => key.startsWith('here/b/'))

/** An image that is in the store itself. */
const buildPhoto = async (name: string) =>
  buildFile(user, { name }, Buffer.concat([await drawImage(900, 700).as('png'), largeContent()]))

const look = (id: number, headers: Record<string, string> = {}) => user.raw(`/api/files/${id}/thumbnail`, { headers })

async function bytesOf(id: number): Promise<Buffer> {
  const response = await look(id)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

interface Row {
  id: number
  key: string
  size: number
  bytes: Buffer | null
}

async function rowOf(fileId: number): Promise<Row | undefined> {
  return server.deps.db.row<Row>('SELECT t.* FROM file_thumbnails t JOIN files f ON f.id = t.file_id WHERE f.id = $1', [
    fileId,
  ])
}

async function fsck(...args: string[]) {
  const { code, stdout } = await runOn(server, ['fsck', '--json', '--storage', store.flag, ...args], '', s3Environment)
  const { findings } = JSON.parse(stdout) as { findings: { problem: string; detail: string; repaired: boolean }[] }
  return { code, findings: findings.map(({ problem, detail, repaired }) => [problem, detail, repaired]) }
}

test('a small thumbnail is in its row, and is read, in part and anew, while the store is away', async () => {
  const { id } = await buildPhoto('small.png')
  const before = keys()
  const drawn = await bytesOf(id)
  expect(keys()).toEqual(before)
  store.requests.length = 0
  store.decide = () => 'break'
  const again = await look(id)
  const etag = again.headers.get('etag') ?? ''
  expect(Buffer.from(await again.arrayBuffer()).equals(drawn)).toBe(true)
  const part = await look(id, { range: 'bytes=8-11' })
  expect([part.status, await part.text()]).toEqual([206, 'WEBP'])
  expect((await look(id, { 'if-none-match': etag })).status).toBe(304)
  expect(store.requests).toEqual([])
  expect(await rowOf(id)).toMatchObject({ size: drawn.length, bytes: drawn })
})

test('a larger one is in the store', async () => {
  const pixels = Buffer.from(Array.from({ length: 300 * 200 * 3 }, (_, index) => (index * index * 7919) >> 3))
  const image = await sharp(pixels, { raw: { width: 300, height: 200, channels: 3 } })
    .png()
    .toBuffer()
  const { id } = await buildFile(user, { name: 'noise.png' }, image)
  const before = keys()
  const bytes = await bytesOf(id)
  expect(bytes.length).toBeGreaterThan(32 * 1024)
  const row = await rowOf(id)
  expect(keys().filter(key => !before.includes(key))).toEqual([`here/b/${row?.key}`])
  expect(row?.bytes).toBeNull()
  expect((await bytesOf(id)).equals(bytes)).toBe(true)
})

test('the last file of an image takes its thumbnail along, and asks the store to remove the image alone', async () => {
  const { id } = await buildPhoto('deleted.png')
  await bytesOf(id)
  const row = await rowOf(id)
  await user.call(trashFile, { id })
  store.requests.length = 0
  await user.call(deleteFile, { id })
  await server.deps.removals.settled()
  expect(await server.deps.db.row('SELECT id FROM file_thumbnails WHERE id = $1', [row?.id ?? 0])).toBeUndefined()
  await expect.poll(() => store.requests.filter(name => name.startsWith('DELETE'))).toHaveLength(1)
})

test.each([
  ['cut short', 'SUBSTR(bytes, 1, 100)', 'it has 100 bytes instead of', []],
  ['no image', "CONCAT('RUFF', SUBSTR(bytes, 5))", 'its bytes are no image', ['--hash']],
])('one that is %s is named and deleted by fsck, and drawn anew', async (how, damage, detail, args) => {
  const { id } = await buildPhoto(`${how}.png`)
  const drawn = await bytesOf(id)
  const { db } = server.deps
  const sql = db.dialect === 'mariadb' ? damage : damage.replace(/CONCAT\((.*?), (.*)\)$/, 'CAST($1 || $2 AS BLOB)')
  const row = await rowOf(id)
  expect(await fsck('--hash')).toEqual({ code: 0, findings: [] })
  await db.touch(() => db.change(`UPDATE file_thumbnails SET bytes = ${sql} WHERE id = $1`, [row?.id ?? 0]))
  expect(await fsck(...args)).toEqual({ code: 10, findings: [['thumbnail', expect.stringContaining(detail), false]] })
  expect(await fsck('--repair', ...args)).toMatchObject({ code: 0, findings: [['thumbnail', expect.anything(), true]] })
  expect(await rowOf(id)).toBeUndefined()
  expect((await bytesOf(id)).equals(drawn)).toBe(true)
})

test('one whose bytes are cut short in the row is drawn again by the next request but one', async () => {
  const { id } = await buildPhoto('cut.png')
  const drawn = await bytesOf(id)
  const { db } = server.deps
  const row = await rowOf(id)
  await db.touch(() =>
    db.change('UPDATE file_thumbnails SET bytes = SUBSTR(bytes, 1, 100) WHERE id = $1', [row?.id ?? 0]),
  )
  expect((await look(id)).status).toBe(503)
  expect((await bytesOf(id)).equals(drawn)).toBe(true)
})
