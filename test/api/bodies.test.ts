/** JSON bodies that are broken, too large, too deep or something else. */
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { maxJsonBytes, maxJsonDepth } from '../../src/api/limits.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead, sendWire } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const post = (body: string | Buffer | undefined, headers: Record<string, string> = {}) =>
  user.raw('/api/files/folders', { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('a body', () => {
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
  ])('that is no JSON object is 400: %j', async body => {
    expect(await failure(await post(body))).toEqual({ status: 400, error: 'invalid_input' })
  })

  test('whose bytes are no UTF-8 is 400, and not a name with something else in it', async () => {
    const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0xaf, 0xff]), Buffer.from('"}')])
    expect(await failure(await post(body))).toEqual({ status: 400, error: 'invalid_input' })
  })

  test('that is missing counts as an empty object', async () => {
    const response = await user.raw('/api/files/folders', { method: 'POST' })
    expect(await failure(response)).toEqual({
      status: 400,
      error: 'invalid_input',
      fields: { name: 'This field is required' },
    })
  })

  test('of no length, sent in chunks, counts as missing', async () => {
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

  test('that came in chunks is read like any other', async () => {
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

  test(`of more than ${maxJsonDepth} levels is 400`, async () => {
    const deep = await failure(await post(`{"name":${nested(maxJsonDepth)}}`))
    expect(deep).toEqual({ status: 400, error: 'invalid_input', fields: { name: expect.stringContaining('deeper') } })
    const deepest = await failure(await post(`{"name":${nested(maxJsonDepth - 1)}}`))
    expect(deepest).toEqual({ status: 400, error: 'invalid_input', fields: { name: 'Expected text' } })
  })

  test('that is nested as deep as a megabyte allows is 400 at once', async () => {
    const levels = (maxJsonBytes - 20) / 2
    const tooDeep = { status: 400, error: 'invalid_input', fields: { name: expect.stringContaining('deeper') } }
    expect(await failure(await post(`{"name":${nested(levels)}}`))).toEqual(tooDeep)
  })

  test('of exactly 1 MB is read, and one byte more is 413', async () => {
    const fill = (size: number) => `{"name":"${'a'.repeat(size - 11)}"}`
    expect(await failure(await post(fill(maxJsonBytes)))).toMatchObject({
      status: 400,
      fields: { name: expect.any(String) },
    })
    expect(await failure(await post(fill(maxJsonBytes + 1)))).toEqual({ status: 413, error: 'body_too_large' })
  })

  test('that goes on beyond 1 MB without a declared length is 413 while it is still being sent', async () => {
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

  test('with more wrong fields than a person reads is told of some of them, quickly', async () => {
    const body = `{${Array.from({ length: 90_000 }, (_, index) => `"f${index}":1`).join(',')}}`
    const response = await post(body)
    expect(response.status).toBe(400)
    expect((await response.text()).length).toBeLessThan(10_000)
  })

  test('with more permissions than there are is told so in few words', async () => {
    const permissions = Array.from({ length: 100_000 }, () => 'x')
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
  ])('of another Content-Type is 415: %s', async type => {
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/folders',
      headers: { ...user.headers, ...(type === '' ? {} : { 'content-type': type }) },
      body: '{"name":"a"}',
    })
    expect(answer.status).toBe(415)
    expect(JSON.parse(answer.text)).toMatchObject({ error: 'unsupported_media' })
  })

  test.each(['gzip', 'deflate', 'br', 'x-unknown'])('with a Content-Encoding is 415: %s', async encoding => {
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
