/** JSON bodies that are broken, too large, too deep or of another type. */
import { once } from 'node:events'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxJsonBytes, maxJsonDepth, maxJsonValues, maxLongJsonBytes } from '../../src/api/limits.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openForTest, openSocket, requestHead, sendWire } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const post = (body: string | Buffer | undefined, headers: Record<string, string> = {}) =>
  user.raw('/api/files/folders', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

/** Sends a body to a call that takes long ones. */
const putLong = (body: string) =>
  user.raw('/api/files/999999999/metadata', {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body,
  })

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('a JSON body', () => {
  test.each([
    ['{'],
    ['{"name":'],
    ["{'name':'a'}"],
    ['name=a'],
    ['null'],
    ['true'],
    ['7'],
    ['"name"'],
    ['[]'],
    ['[{"name":"a"}]'],
    ['{"name":"a"} trailing'],
    ['\u0000'],
    ['{"name":NaN}'],
  ])('is 400 when it is no JSON object: %j', async body => {
    expect(await failure(await post(body))).toEqual({ status: 400, error: 'invalid_input' })
  })

  test('is 400 when its bytes are not UTF-8; the server does not replace them in the name', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0xaf, 0xff]), Buffer.from('"}')])
    expect(await failure(await post(body))).toEqual({ status: 400, error: 'invalid_input' })
  })

  test('counts as an empty object when it is missing', async () => {
    const response = await user.raw('/api/files/folders', { method: 'POST' })
    expect(await failure(response)).toEqual({
      status: 400,
      error: 'invalid_input',
      fields: { name: 'This field is required' },
    })
  })

  test('counts as missing when it has no bytes and comes in chunks', async () => {
    async function* nothing(): AsyncGenerator<Buffer> {}
    const folder = await (await post('{"name":"chunks"}')).json()
    const answer = await sendWire(server.url, {
      method: 'PUT',
      path: `/api/files/${folder.data.file.id}/trash`,
      headers: { ...user.headers, 'transfer-encoding': 'chunked' },
      body: nothing(),
    })
    expect(answer.status).toBe(200)
  })

  test('is read like any other when it comes in chunks', async () => {
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"name":"pie')
      yield Buffer.from('ces é"}')
    }
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/folders',
      headers: { ...user.headers, 'content-type': 'application/json; charset=utf-8' },
      body: pieces(),
    })
    expect(answer.status).toBe(201)
    expect(JSON.parse(answer.text).data.file.name).toBe('pieces é')
  })

  test(`is 400 with more than ${maxJsonDepth} levels`, async () => {
    const deep = await failure(await post(`{"name":${nested(maxJsonDepth)}}`))
    expect(deep).toEqual({ status: 400, error: 'invalid_input' })
    const deepest = await failure(await post(`{"name":${nested(maxJsonDepth - 1)}}`))
    expect(deepest).toEqual({ status: 400, error: 'invalid_input', fields: { name: 'Expected text' } })
  })

  test('is 400 at once when it is nested as deeply as a megabyte allows', async () => {
    const tooDeep = { status: 400, error: 'invalid_input' }
    const levels = (maxLongJsonBytes - 20) / 2
    expect(await failure(await putLong(`{"metadata":${nested(levels)}}`))).toEqual(tooDeep)
    expect(await failure(await putLong('['.repeat(maxLongJsonBytes)))).toEqual(tooDeep)
  })

  test('is 400 with twice as many values as a call can take; the values of a shorter list are checked', async () => {
    const ids = (count: number) => post(JSON.stringify({ name: Array.from({ length: count }, () => 1) }))
    expect(await failure(await ids(maxJsonValues))).toEqual({ status: 400, error: 'invalid_input' })
    const shorter = await failure(await ids(maxJsonValues - 2))
    expect(shorter).toEqual({ status: 400, error: 'invalid_input', fields: { name: 'Expected text' } })
  })

  test('may have any number of brackets, commas and quotes inside its texts', async () => {
    const name = `${'['.repeat(60)}${'{'.repeat(60)},"\\`
    const folder = await (await post(JSON.stringify({ name }))).json()
    expect(folder.data.file.name).toBe(name)
    const path = `/${',"[\\'.repeat(5000)}`
    const byPath = await user.raw('/api/files/by-path', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path }),
    })
    expect(await failure(byPath)).toEqual({ status: 404, error: 'not_found' })
  })

  test('is read at exactly 64 KB, and is 413 with one byte more', async () => {
    const fill = (size: number) => `{"name":"${'a'.repeat(size - 11)}"}`
    expect(await failure(await post(fill(maxJsonBytes)))).toMatchObject({
      status: 400,
      fields: { name: expect.any(String) },
    })
    expect(await failure(await post(fill(maxJsonBytes + 1)))).toEqual({ status: 413, error: 'body_too_large' })
  })

  test('of a call that takes long texts is read at exactly 1 MB, and is 413 with one byte more', async () => {
    const fill = (size: number) => `{"metadata":"${'a'.repeat(size - 15)}"}`
    expect(await failure(await putLong(fill(maxLongJsonBytes)))).toMatchObject({
      status: 400,
      fields: { metadata: expect.any(String) },
    })
    expect(await failure(await putLong(fill(maxLongJsonBytes + 1)))).toEqual({ status: 413, error: 'body_too_large' })
  })

  test('is 413 before any of it arrives when its declared length is too large', async () => {
    const socket = await openForTest(server.url)
    const headers = { ...user.headers, 'content-type': 'application/json', 'content-length': `${maxJsonBytes + 1}` }
    socket.write(requestHead(server.url, 'POST', '/api/files/folders', headers))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /)
  })

  test('is 413 while it is still being sent when it exceeds 64 KB without a declared length', async () => {
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('{"name":"')
      for (;;) yield Buffer.alloc(64 * 1024, 'a')
    }
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/folders',
      headers: { ...user.headers, 'content-type': 'application/json' },
      body: endless(),
    })
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.text)).toMatchObject({ error: 'body_too_large' })
  })

  test('is 400 with a short answer when it has thousands of wrong fields', async () => {
    const body = `{${Array.from({ length: 90_000 }, (_, index) => `"f${index}":1`).join(',')}}`
    const response = await putLong(body)
    expect(response.status).toBe(400)
    expect((await response.text()).length).toBeLessThan(10_000)
  })

  test('is 400 with a short answer when it has almost two thousand unknown permissions', async () => {
    const permissions = Array.from({ length: 1900 }, () => 'x')
    const response = await user.raw('/api/auth/api-keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'many', permissions }),
    })
    expect(response.status).toBe(400)
    expect((await response.text()).length).toBeLessThan(10_000)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    '',
  ])('is 415 with another Content-Type: %s', async type => {
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/folders',
      headers: { ...user.headers, ...(type === '' ? {} : { 'content-type': type }) },
      body: '{"name":"a"}',
    })
    expect(answer.status).toBe(415)
    expect(JSON.parse(answer.text)).toMatchObject({ error: 'unsupported_media' })
  })

  test.each(['gzip', 'deflate', 'br', 'x-unknown'])('is 415 with a Content-Encoding: %s', async encoding => {
    const response = await post(gzipSync('{"name":"a"}'), { 'content-encoding': encoding })
    expect(await failure(response)).toEqual({ status: 415, error: 'unsupported_media' })
  })

  test('that breaks off leaves the server answering', async () => {
    for (let round = 0; round < 5; round++) {
      const socket = await openSocket(server.url)
      const headers = { ...user.headers, 'content-type': 'application/json', 'content-length': '100' }
      socket.write(`${requestHead(server.url, 'POST', '/api/files/folders', headers)}{"name":"cut`)
      socket.destroy()
    }
    expect((await user.raw('/api/auth/profile')).status).toBe(200)
    const { data } = await (await user.raw('/api/files?only=folders')).json()
    expect(data.folders.map((folder: { name: string }) => folder.name)).not.toContain('cut')
  })
})
