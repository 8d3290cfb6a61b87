/** Downloads that a proxy sends itself: which requests get the path of the bytes, and what else the answer says. */
import { randomBytes } from 'node:crypto'
import { readFile, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ChangeEvent, listAudit } from '../../src/api/events.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { maxDeviceKeyRequests } from '../../src/api/limits.ts'
import { trashFile } from '../../src/api/trash.ts'
import { headersBut } from '../support/answer-headers.ts'
import { failure, openClient, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildKey, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

beforeEach(context => onlyOneServer('proxy', context))

const settings = { trustProxy: '127.0.0.1', accelRedirect: '/_filestore' }
/** The header that a proxy adds. */
const forwarded = { 'x-forwarded-for': '203.0.113.9' }

let server: TestServer
let user: BuiltUser
/** A picture, which has a thumbnail too. */
let picture: FileDetails
let bytes: Buffer
beforeAll(async () => {
  server = await startServer(settings)
  user = await buildUser(server)
  bytes = Buffer.concat([await drawImage(800, 600).as('png'), randomBytes(100_000)])
  picture = await buildFile(user, { name: 'picture.png' }, bytes)
})
afterAll(() => server.close())

const ask = (id: number, headers: Record<string, string> = {}, call = 'download', client: TestClient = user) =>
  client.raw(`/api/files/${id}/${call}`, { headers: { ...forwarded, ...headers } })

const placeOf = (response: Response) => response.headers.get('x-accel-redirect')

/** The path of a file that the proxy sends, on the disk. */
function pathOf(response: Response): string {
  const [, place = ''] = /^\/_filestore\/(blobs\/([0-9a-f]{2})\/\2[0-9a-f]{62})$/.exec(placeOf(response) ?? '') ?? []
  expect(place).not.toBe('')
  return join(server.dataDir, 'storage', place)
}

/** Headers that differ because the proxy sends the bytes. */
const ofBytes = ['x-accel-redirect', 'content-length', 'accept-ranges']

describe('a request through a listed proxy', () => {
  test.each(['download', 'preview', 'thumbnail'])(
    'gets the path of the bytes and otherwise the usual headers: %s',
    async call => {
      const response = await ask(picture.id, {}, call)
      const direct = await user.raw(`/api/files/${picture.id}/${call}`)
      expect(response.status).toBe(200)
      expect((await response.arrayBuffer()).byteLength).toBe(0)
      expect(headersBut(response, ...ofBytes)).toEqual(headersBut(direct, ...ofBytes))
      expect(placeOf(direct)).toBeNull()
      const sent = Buffer.from(await direct.arrayBuffer())
      expect(sent.length).toBeGreaterThan(0)
      expect((await readFile(pathOf(response))).equals(sent)).toBe(true)
    },
  )

  test('gets the path of the bytes for one satisfiable range, too', async () => {
    const ranges = ['bytes=0-9', 'bytes=500-', 'bytes=-5']
    const conditions: Record<string, string>[] = [{}, { 'if-range': `"${picture.sha256}"` }]
    for (const range of ranges) {
      for (const condition of conditions) {
        const response = await ask(picture.id, { range, ...condition })
        expect(response.status).toBe(200)
        expect(response.headers.get('content-range')).toBeNull()
        pathOf(response)
      }
    }
  })

  test.each<[number, Record<string, string>]>([
    [200, { range: 'bytes=5-2' }],
    [200, { range: 'bytes=0-9,20-29' }],
    [200, { range: 'items=0-9' }],
    [200, { range: 'bytes=0-9', 'if-range': '"other"' }],
    [200, { range: 'bytes=0-9', 'if-range': 'Wed, 01 Jan 2020 00:00:00 GMT' }],
    [200, { 'if-match': '"other"' }],
    [200, { 'if-unmodified-since': 'Wed, 01 Jan 2020 00:00:00 GMT' }],
    [304, { 'if-none-match': '*' }],
    [416, { range: 'bytes=99999999-' }],
    [206, { range: 'bytes=0-99999999999999999999' }],
  ])('is answered by the server itself where the proxy would decide otherwise: %i for %j', async (status, headers) => {
    const response = await ask(picture.id, headers)
    expect(response.status).toBe(status)
    expect(placeOf(response)).toBeNull()
    const content = Buffer.from(await response.arrayBuffer())
    if (status < 300) expect(content.equals(bytes)).toBe(true)
  })

  test('is answered by the server itself when its method is HEAD', async () => {
    const response = await user.raw(`/api/files/${picture.id}/download`, { method: 'HEAD', headers: forwarded })
    expect(placeOf(response)).toBeNull()
    expect(response.headers.get('content-length')).toBe(String(bytes.length))
  })

  test('is answered by the server itself for small content and archives, which are in no file of their own', async () => {
    const folder = await buildFolder(user)
    const small = await buildFile(user, { parent_id: folder.id }, 'small')
    const response = await ask(small.id)
    expect(placeOf(response)).toBeNull()
    expect(await response.text()).toBe('small')
    const archive = await ask(folder.id, {}, 'archive')
    expect(placeOf(archive)).toBeNull()
    expect((await archive.arrayBuffer()).byteLength).toBeGreaterThan(5)
  })

  test('is answered by the server itself for a device key, whose downloads count as running until all bytes are sent', async () => {
    const key = await buildKey(server, user, ['files:read'], 'device')
    const large = randomBytes(12 * 1024 ** 2)
    const file = await buildFile(user, {}, large)
    const download = () => ask(file.id, {}, 'download', key)
    const first = await download()
    const held = await Promise.all(Array.from({ length: maxDeviceKeyRequests - 1 }, download))
    expect(await failure(await download())).toEqual({ status: 429, error: 'rate_limited' })
    for (const response of held) await response.body?.cancel()
    expect(Buffer.from(await first.arrayBuffer()).equals(large)).toBe(true)
  })

  test('gets the usual error when the bytes are lost', async () => {
    const lost = await buildFile(user, {}, randomBytes(100_000))
    await truncate(pathOf(await ask(lost.id)), 50_000)
    const response = await ask(lost.id)
    expect(placeOf(response)).toBeNull()
    expect(await failure(response)).toEqual({ status: 500, error: 'internal' })
  })

  test('makes only the requested file readable for the group', async () => {
    const [asked, other] = [randomBytes(100_000), randomBytes(100_000)]
    const file = await buildFile(user, {}, asked)
    const before = await buildFile(user, {}, other)
    const path = pathOf(await ask(file.id))
    expect((await stat(path)).mode & 0o777).toBe(0o640)
    const row = await server.deps.db.row<{ key: string }>(
      'SELECT b.`key` FROM blobs b JOIN files f ON f.blob_id = b.id WHERE f.id = $1',
      [before.id],
    )
    expect((await stat(server.deps.store.local?.fileOf(row?.key ?? '') ?? '')).mode & 0o777).toBe(0o600)
  })
})

describe('the path of the bytes', () => {
  test('is not given to a request from the proxy’s address without its header', async () => {
    const response = await user.raw(`/api/files/${picture.id}/download`)
    expect(placeOf(response)).toBeNull()
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('is not given without the right to read: to strangers, without an account, to a key without the permission, for trash', async () => {
    const trashed = await buildFile(user, {}, randomBytes(100_000))
    await user.call(trashFile, { id: trashed.id })
    const stranger = await buildUser(server, { role: 'admin' })
    const key = await buildKey(server, user, ['files:upload'])
    const refused: [Promise<Response>, number][] = [
      [ask(picture.id, {}, 'download', stranger), 404],
      [ask(picture.id, {}, 'preview', stranger), 404],
      [ask(picture.id, {}, 'thumbnail', stranger), 404],
      [ask(picture.id, {}, 'download', openClient(server.url)), 401],
      [ask(picture.id, {}, 'download', key), 403],
      [ask(trashed.id), 404],
    ]
    for (const [answer, status] of refused) {
      const response = await answer
      expect(response.status).toBe(status)
      expect(placeOf(response)).toBeNull()
    }
  })

  test.each([{ ...settings, trustProxy: '10.0.0.0/8' }, { trustProxy: '127.0.0.1' }])(
    'is not given by a server with %j',
    async flags => {
      const other = await startServer(flags)
      try {
        const owner = await buildUser(other)
        const file = await buildFile(owner, {}, bytes)
        const response = await ask(file.id, {}, 'download', owner)
        expect(placeOf(response)).toBeNull()
        expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
      } finally {
        await other.close()
      }
    },
  )
})

describe('a download that the proxy sends', () => {
  test('is recorded in the audit log like one that the server sends', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    const file = await buildFile(user, { name: 'told.png' }, randomBytes(100_000))
    for (const call of ['download', 'preview']) pathOf(await ask(file.id, {}, call))
    await server.deps.journal.flush()
    const isOfFile = ({ item_id }: ChangeEvent) => item_id === file.id
    for (const action of ['file.download', 'file.preview']) {
      const told = (await admin.call(listAudit, { action })).events.filter(isOfFile)
      expect(told).toMatchObject([{ actor_id: user.id, address: '203.0.113.9', detail: { name: 'told.png' } }])
    }
  })

  test('is counted as a download with its bytes, or those of its range', async () => {
    const figure = async (name: string) => {
      const text = await (await fetch(`${server.url}/metrics`)).text()
      return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
    }
    const file = await buildFile(user, {}, randomBytes(500_000))
    const figures = () => Promise.all(['filestore_downloads_total', 'filestore_download_bytes_total'].map(figure))
    const [count = 0, sum = 0] = await figures()
    pathOf(await ask(file.id))
    pathOf(await ask(file.id, { range: 'bytes=-200000' }))
    await expect.poll(() => figure('filestore_downloads_total')).toBe(count + 2)
    const [, now = 0] = await figures()
    expect(now - sum).toBeGreaterThanOrEqual(700_000)
    expect(now - sum).toBeLessThan(704_000)
  })
})
