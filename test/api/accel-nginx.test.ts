/** Downloads through a real nginx that sends the bytes: clients get the same answer as from the server itself. */
import { randomBytes } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FileDetails } from '../../src/api/items.ts'
import { headersBut } from '../support/answer-headers.ts'
import { failure, openClient, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildKey, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { type NginxProcess, startNginx } from '../support/nginx-process.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

beforeEach(context => onlyOneServer('proxy', context))

let server: TestServer
let nginx: NginxProcess | undefined
let user: BuiltUser
let picture: FileDetails
let bytes: Buffer
beforeAll(async () => {
  server = await startServer({ trustProxy: '127.0.0.1', accelRedirect: '/_filestore' })
  user = await buildUser(server)
  bytes = Buffer.concat([await drawImage(800, 600).as('png'), randomBytes(3_000_000)])
  picture = await buildFile(user, { name: 'Größe.png', modified_at: '2021-05-06T07:08:09Z' }, bytes)
})
afterAll(async () => {
  await nginx?.stop()
  await server.close()
})

/** The user's client that sends its requests through nginx. */
let through: TestClient
beforeEach(async context => {
  nginx ??= await startNginx(context, server)
  through = openClient(nginx.url, user.headers)
})

const pathOf = (call: string, id = picture.id) => `/api/files/${id}/${call}`

/** The internal path of a file that the server gives to nginx. */
async function placeOf({ id }: FileDetails): Promise<string> {
  const { headers } = await user.raw(pathOf('download', id), { headers: { 'x-forwarded-for': '203.0.113.9' } })
  const place = headers.get('x-accel-redirect') ?? ''
  expect(place).toMatch(/^\/_filestore\/blobs\//)
  return place
}

/** The path of a file's bytes on the disk. */
const fileOf = async (file: FileDetails) =>
  join(server.dataDir, 'storage', (await placeOf(file)).slice('/_filestore/'.length))

const contentOf = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe.each(['download', 'preview', 'thumbnail'])('a %s through nginx', call => {
  test('is sent by nginx with the same bytes and headers as the server sends', async () => {
    const path = pathOf(call)
    const [given, direct] = [await through.raw(path), await user.raw(path)]
    expect(given.status).toBe(200)
    expect(given.headers.get('server')).toMatch(/nginx/)
    expect(given.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(headersBut(given)).toEqual(headersBut(direct))
    const expected = await contentOf(direct)
    expect((await contentOf(given)).equals(expected)).toBe(true)
    await expect.poll(() => nginx?.sent()).toContain(`${path} 0 ${expected.length}`)
  })
})

describe('a request through nginx', () => {
  test('carries the rate limit headers of the API key', async () => {
    const key = await buildKey(server, user, ['files:read'])
    const given = await openClient(nginx?.url ?? '', key.headers).raw(pathOf('download'))
    const [before, after] = [given, await key.raw(pathOf('download'))].map(({ headers }) =>
      Number(headers.get('ratelimit-remaining')),
    )
    expect(before).toBeGreaterThan(0)
    expect(after).toBe((before ?? 0) - 1)
    expect(given.headers.has('ratelimit-limit') && given.headers.has('ratelimit-reset')).toBe(true)
  })

  test.each<Record<string, string>>([
    { range: 'bytes=0-99' },
    { range: 'bytes=1000000-' },
    { range: 'bytes=-1' },
    { range: 'bytes=3000000-99999999' },
    { range: 'bytes=5-2' },
    { range: 'bytes=0-9,20-29' },
    { range: 'bytes=99999999-' },
    { range: 'bytes=0-99999999999999999999' },
    { range: 'bytes=0-9', 'if-range': 'the ETag' },
    { range: 'bytes=0-9', 'if-range': '"other"' },
    { range: 'bytes=0-9', 'if-range': 'the time' },
    { 'if-none-match': 'the ETag' },
    { 'if-none-match': '"other"' },
    { 'if-none-match': '"other"', range: 'bytes=0-9' },
    { 'if-modified-since': 'the time' },
    { 'if-modified-since': 'now' },
    { 'if-match': 'the ETag' },
    { 'if-unmodified-since': 'Wed, 01 Jan 2020 00:00:00 GMT' },
  ])('is answered as by the server when it has a range or a condition: %j', async given => {
    const values: Record<string, string> = {
      'the ETag': `"${picture.sha256}"`,
      'the time': 'Thu, 06 May 2021 07:08:09 GMT',
      now: new Date().toUTCString(),
    }
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, values[value] ?? value]))
    for (const method of ['GET', 'HEAD']) {
      const [one, other] = [
        await through.raw(pathOf('download'), { method, headers }),
        await user.raw(pathOf('download'), { method, headers }),
      ]
      expect(one.status).toBe(other.status)
      expect(headersBut(one)).toEqual(headersBut(other))
      const [content, expected] = [await contentOf(one), await contentOf(other)]
      if (one.status !== 416) expect(content.equals(expected)).toBe(true)
    }
  })

  test('ignores the modification time of the file on the disk and does not compress the content', async () => {
    const page = await buildFile(
      user,
      { name: 'page.html', modified_at: '2021-05-06T07:08:09Z' },
      'text '.repeat(20_000),
    )
    const { mtime } = await stat(await fileOf(page))
    const headers = { 'if-modified-since': mtime.toUTCString(), 'accept-encoding': 'gzip' }
    const path = pathOf('download', page.id)
    const [given, direct] = [await through.raw(path, { headers }), await user.raw(path, { headers })]
    expect(given.status).toBe(200)
    expect(headersBut(given)).toEqual(headersBut(direct))
    expect((await contentOf(given)).length).toBe(100_000)
    await direct.arrayBuffer()
  })

  test.each([
    ['page.html', 'text/plain; charset=utf-8'],
    ['drawing.svg', 'image/svg+xml'],
  ])('shows content that could run script with the server’s security headers: %s', async (name, type) => {
    const content = `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script>${' '.repeat(100_000)}</svg>`
    const path = pathOf('preview', (await buildFile(user, { name }, content)).id)
    const [given, direct] = [await through.raw(path), await user.raw(path)]
    expect(given.status).toBe(200)
    expect(given.headers.get('content-type')).toBe(type)
    expect(given.headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none'/)
    expect(given.headers.get('x-content-type-options')).toBe('nosniff')
    expect(headersBut(given)).toEqual(headersBut(direct))
    expect(await given.text()).toBe(content)
    await direct.arrayBuffer()
    // nginx sent the whole content itself; none of it came through the server.
    await expect.poll(() => nginx?.sent()).toContain(`${path} 0 ${content.length}`)
  })

  test('cannot read a file by its internal path', async () => {
    const place = await placeOf(picture)
    for (const path of [place, place.replace('blobs/', 'blobs//'), `${place}?x`, place.replace('_', '%5f')]) {
      expect((await through.raw(path)).status).toBe(404)
    }
  })

  test('without the right to read the file gets the server’s own refusal', async () => {
    const stranger = await buildUser(server, { role: 'admin' })
    const refused = await openClient(nginx?.url ?? '', stranger.headers).raw(pathOf('download'))
    expect(await failure(refused)).toEqual({ status: 404, error: 'not_found' })
    expect(await failure(await openClient(nginx?.url ?? '').raw(pathOf('download')))).toMatchObject({ status: 401 })
  })
})
