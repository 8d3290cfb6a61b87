/** Large downloads that the object store sends itself: which requests get its address, and that the address opens no more. */
import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type ChangeEvent, listAudit } from '../../src/api/events.ts'
import { runBinary } from '../support/binary.ts'
import type { TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildKey, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { drawImage } from '../support/images.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { type S3Server, startS3Server } from '../support/s3-server.ts'
import { environmentFor, newStorageFlag } from '../support/s3-service.ts'
import { startServer } from '../support/server.ts'
import { overwrite } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'

const megabyte = 1024 ** 2
const name = 'größe "1" + 100%.png'

let own: S3Server | undefined
/** The value of `--storage` without redirects. */
let plain: string
let server: TestServer
let user: BuiltUser
let content: Buffer
let id: number

/** The name `localhost`, because the page is at 127.0.0.1. */
const redirecting = (flag: string) =>
  `${flag}&redirect=1&public=${new URLSearchParams(flag.split('?')[1]).get('endpoint')?.replace('127.0.0.1', 'localhost')}`

beforeAll(async () => {
  const flag = newStorageFlag()
  own = flag === undefined ? await startS3Server() : undefined
  plain = flag ?? own?.flag ?? ''
  server = await startServer({ storage: redirecting(plain), maxFileSize: '1GB' })
  user = await buildUser(server)
  content = Buffer.concat([await drawImage(800, 600).as('png'), randomBytes(megabyte)])
  id = (await buildFile(user, { name }, content)).id
})
afterEach(() => void vi.useRealTimers())
afterAll(async () => {
  await server.close()
  await own?.close()
})

const download = (headers: Record<string, string> = {}, client: Pick<TestClient, 'raw'> = user, of = id) =>
  client.raw(`/api/files/${of}/download`, { headers })

async function addressOf(headers: Record<string, string> = {}, client: TestClient = user): Promise<string> {
  const response = await download(headers, client)
  expect(response.status).toBe(302)
  return response.headers.get('location') ?? ''
}

const askStore = (address: string | URL, method = 'GET', headers: Record<string, string> = {}) =>
  fetch(address, { method, headers, redirect: 'manual', ...(method === 'PUT' && { body: 'x' }) })

test('a session’s large download is sent to an address that gives the bytes as an attachment of no type', async () => {
  const response = await download()
  expect([response.status, await response.text()]).toEqual([302, ''])
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  for (const absent of ['etag', 'content-disposition', 'last-modified', 'accept-ranges']) {
    expect(response.headers.get(absent)).toBeNull()
  }
  const address = new URL(response.headers.get('location') ?? '')
  expect(address.hostname).toBe('localhost')
  expect(address.searchParams.get('X-Amz-Expires')).toBe('60')
  const sent = await askStore(address)
  expect(sent.status).toBe(200)
  expect(sent.headers.get('content-type')).toBe('application/octet-stream')
  expect(sent.headers.get('cache-control')).toBe('private, no-store')
  const direct = await download({ range: 'bytes=0-' })
  expect(sent.headers.get('content-disposition')).toBe(direct.headers.get('content-disposition'))
  expect(sent.headers.get('content-disposition')).toMatch(/^attachment; /)
  expect(Buffer.from(await sent.arrayBuffer()).equals(content)).toBe(true)
  const part = await askStore(address, 'GET', { range: 'bytes=5-9' })
  expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, content.subarray(5, 10)])
})

test('a script’s key gets it when it asks for it, because it would send its secret along; a device’s key never', async () => {
  const script = await buildKey(server, user, ['files:read'])
  expect((await download({}, script)).status).toBe(200)
  expect((await download({ prefer: 'return=minimal, redirects' }, script)).status).toBe(200)
  const address = await addressOf({ prefer: 'redirect' }, script)
  expect((await askStore(address)).status).toBe(200)
  const device = await buildKey(server, user, ['files:read'], 'device')
  expect((await download({ prefer: 'redirect' }, device)).status).toBe(200)
})

describe('this server sends the bytes', () => {
  test.each<[string, Record<string, string>, number]>([
    ['of a range', { range: 'bytes=0-' }, 206],
    ['on a condition', { 'if-match': '"x"' }, 200],
    ['on the opposite', { 'if-none-match': '"x"' }, 200],
    ['since a time', { 'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 200],
    ['until a time', { 'if-unmodified-since': 'Thu, 01 Jan 2099 00:00:00 GMT' }, 200],
    ['on the condition of a range', { 'if-range': '"x"' }, 200],
  ])('%s', async (_what, headers, status) => {
    const response = await download(headers)
    expect([response.status, (await response.arrayBuffer()).byteLength]).toEqual([status, content.length])
  })

  test('of previews, thumbnails and small files, and answers a HEAD', async () => {
    for (const call of ['preview', 'thumbnail']) {
      expect((await user.raw(`/api/files/${id}/${call}`)).status).toBe(200)
    }
    expect((await user.raw(`/api/files/${id}/download`, { method: 'HEAD' })).status).toBe(200)
    const small = await buildFile(user, {}, randomBytes(megabyte - 1))
    const least = await buildFile(user, {}, randomBytes(megabyte))
    expect((await download({}, user, small.id)).status).toBe(200)
    expect((await download({}, user, least.id)).status).toBe(302)
  })

  test('to the visitors of links', async () => {
    const { token } = await buildLink(user, { id })
    const visitor = openVisitor(server.url, token)
    expect((await visitor.raw('/download', { headers: { prefer: 'redirect' } })).status).toBe(200)
    expect((await visitor.raw(`/files/${id}/download`)).status).toBe(200)
  })

  test('unless asked for redirects', async () => {
    const other = await startServer({ storage: plain.replace(/(\/(?:here|test-\w+))\?/, '$1-2?'), maxFileSize: '1GB' })
    const guest = await buildUser(other)
    const file = await buildFile(guest, {}, content)
    expect((await download({ prefer: 'redirect' }, guest, file.id)).status).toBe(200)
    await other.close()
  })
})

test('bytes that are lost or cut short are told by this server, not by the store', async () => {
  const before = (await readHoldings(server)).keys
  const file = await buildFile(user, {}, randomBytes(megabyte))
  const key = (await readHoldings(server)).keys.find(candidate => !before.includes(candidate)) ?? ''
  await overwrite(server, key, bytes => bytes.subarray(0, -1))
  expect((await download({}, user, file.id)).status).toBe(500)
  await server.deps.store.remove(key)
  expect((await download({}, user, file.id)).status).toBe(500)
})

test('each is in the audit log, and needs the right to the file', async () => {
  const admin = await buildUser(server, { role: 'admin' })
  const events = async () =>
    (await admin.call(listAudit, { action: 'file.download', actor: other.username })).events.map(
      ({ item_id }: ChangeEvent) => item_id,
    )
  const other = await buildUser(server)
  const { id: theirs } = await buildFile(other, {}, content)
  expect((await download({}, user, theirs)).status).toBe(404)
  expect((await download({}, other, theirs)).status).toBe(302)
  await expect.poll(events).toEqual([theirs])
})

describe('the address', () => {
  const changed = (address: string, change: (url: URL) => void): URL => {
    const url = new URL(address)
    change(url)
    return url
  }
  const setting = (parameter: string, value: string) => (url: URL) => url.searchParams.set(parameter, value)

  test.each<[string, (url: URL) => void]>([
    ['another disposition', setting('response-content-disposition', 'inline')],
    ['no disposition', url => url.searchParams.delete('response-content-disposition')],
    ['another type', setting('response-content-type', 'text/html')],
    ['no type', url => url.searchParams.delete('response-content-type')],
    ['a longer cache', setting('response-cache-control', 'public')],
    ['one more header', setting('response-content-language', 'de')],
    ['one more parameter', setting('versionId', '1')],
    ['more time', setting('X-Amz-Expires', '6000')],
    ['a later date', setting('X-Amz-Date', '20990101T000000Z')],
    ['another signature', setting('X-Amz-Signature', 'a'.repeat(64))],
    ['no signature', url => url.searchParams.delete('X-Amz-Signature')],
    [
      'another region',
      url =>
        setting('X-Amz-Credential', url.searchParams.get('X-Amz-Credential')?.replace('us-east-1', 'eu') ?? '')(url),
    ],
    [
      'another key',
      url => {
        url.pathname = url.pathname.replace(/.$/, last => (last === '0' ? '1' : '0'))
      },
    ],
    [
      'the bucket',
      url => {
        url.pathname = url.pathname.split('/').slice(0, 2).join('/')
      },
    ],
    [
      'the mark',
      url => {
        url.pathname = url.pathname.replace(/b\/.*/, 'store-id')
      },
    ],
    [
      'another host',
      url => {
        url.hostname = '127.0.0.1'
      },
    ],
  ])('is refused with %s', async (_what, change) => {
    const address = await addressOf()
    const response = await askStore(changed(address, change))
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect((await response.arrayBuffer()).byteLength).toBeLessThan(2000)
    expect((await askStore(address)).status).toBe(200)
  })

  test.each(['PUT', 'DELETE', 'POST', 'HEAD'])('is refused for %s', async method => {
    const address = await addressOf()
    expect((await askStore(address, method)).status).toBe(403)
    expect((await askStore(address)).status).toBe(200)
  })

  test('is refused after a minute', async context => {
    onlyOneServer('clock', context)
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 61_000 })
    const address = await addressOf()
    vi.useRealTimers()
    expect((await askStore(address)).status).toBe(403)
  })
})

test.each<[string[], string]>([
  [[], 'redirect=1 needs --public-url'],
  [['--public-url', 'https://localhost:8443/files'], 'localhost is the host of --public-url'],
])('a server with %j does not start', async (args, words) => {
  const env = Object.fromEntries(Object.entries(environmentFor(plain)).filter(([, value]) => value !== undefined))
  const run = ['serve', '--data-dir', server.dataDir, '--storage', redirecting(plain), ...args]
  const { exitCode, stderr } = await runBinary(run, { env: env as Record<string, string> })
  expect(stderr).toContain(words)
  expect(exitCode).toBe(2)
})
