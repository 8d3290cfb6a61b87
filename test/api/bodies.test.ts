/** JSON bodies that are broken, too large, too deep or of another type. */
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
    expect(deep).toEqual({ status: 400, error: 'invalid_input', fields: { name: expect.stringContaining('deeper') } })
    const deepest = await failure(await post(`{"name":${nested(maxJsonDepth - 1)}}`))
    expect(deepest).toEqual({ status: 400, error: 'invalid_input', fields: { name: 'Expected text' } })
  })

  test('is 400 at once when it is nested as deeply as a megabyte allows', async () => {
    const levels = (maxJsonBytes - 20) / 2
    const tooDeep = { status: 400, error: 'invalid_input', fields: { name: expect.stringContaining('deeper') } }
    expect(await failure(await post(`{"name":${nested(levels)}}`))).toEqual(tooDeep)
  })

  test('is read at exactly 1 MB, and is 413 with one byte more', async () => {
    const fill = (size: number) => `{"name":"${'a'.repeat(size - 11)}"}`
    expect(await failure(await post(fill(maxJsonBytes)))).toMatchObject({
      status: 400,
      fields: { name: expect.any(String) },
    })
    expect(await failure(await post(fill(maxJsonBytes + 1)))).toEqual({ status: 413, error: 'body_too_large' })
  })

  test('is 413 while it is still being sent when it exceeds 1 MB without a declared length', async () => {
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
    const response = await post(body)
    expect(response.status).toBe(400)
    expect((await response.text()).length).toBeLessThan(10_000)
  })

  test('is 400 with a short answer when it has thousands of unknown permissions', async () => {
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
