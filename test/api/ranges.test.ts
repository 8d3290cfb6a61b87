/** Parts of a file: the forms of the Range header, and the conditions of If-Range. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileDetails } from '../../src/api/items.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

const sizes = [1000, 200_000]
const contents = new Map(sizes.map(size => [size, randomBytes(size)]))

let server: TestServer
let user: BuiltUser
const files = new Map<number, FileDetails>()
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  for (const [size, bytes] of contents) files.set(size, await buildFile(user, { name: `${size}.txt` }, bytes))
})
afterAll(() => server.close())

function read(size: number, headers: Record<string, string>, call = 'download', method = 'GET'): Promise<Response> {
  return user.raw(`/api/files/${files.get(size)?.id}/${call}`, { method, headers })
}

describe.each(sizes)('a request for a file of %i bytes', size => {
  const part = async (range: string, start: number, end: number) => {
    for (const call of ['download', 'preview']) {
      const response = await read(size, { range }, call)
      expect(response.status).toBe(206)
      expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`)
      expect(response.headers.get('content-length')).toBe(String(end - start + 1))
      expect(response.headers.get('etag')).toBe(`"${files.get(size)?.sha256}"`)
      const bytes = Buffer.from(await response.arrayBuffer())
      expect(bytes.equals(contents.get(size)?.subarray(start, end + 1) ?? Buffer.of())).toBe(true)
    }
  }

  test('gets a range from the start', () => part('bytes=0-99', 0, 99))
  test('gets a range in the middle', () => part('bytes=500-599', 500, 599))
  test('gets a single byte', () => part('bytes=0-0', 0, 0))
  test('gets the last byte', () => part(`bytes=${size - 1}-`, size - 1, size - 1))
  test('gets a range without an end up to the last byte', () => part('bytes=900-', 900, size - 1))
  test('gets a range beyond the end up to the last byte', () => part('bytes=900-99999999999999999999', 900, size - 1))
  test('gets a suffix range', () => part('bytes=-100', size - 100, size - 1))
  test('gets the whole file for a suffix range longer than the file', () => part(`bytes=-${size + 5}`, 0, size - 1))
  test('gets the whole file as a range from 0', () => part('bytes=0-', 0, size - 1))
  test('may write the unit in any case', () => part('Bytes=0-9', 0, 9))

  test.each([
    'items=0-9',
    'bytes=0-9,20-29',
    'bytes=5-2',
    'bytes=a-b',
    'bytes=-',
    'bytes',
    'bytes=',
    'bytes=1.5-2',
    'bytes=--5',
  ])('gets 200 with the whole file when Range is not a single valid range: %s', async range => {
    const response = await read(size, { range })
    expect(response.status).toBe(200)
    expect(response.headers.get('content-range')).toBeNull()
    expect((await response.arrayBuffer()).byteLength).toBe(size)
  })

  test.each([`bytes=${size}-`, `bytes=${size}-${size + 5}`, 'bytes=99999999999999999999-', 'bytes=-0'])(
    'gets 416 for a range outside the file: %s',
    async range => {
      const response = await read(size, { range })
      expect(response.headers.get('content-range')).toBe(`bytes */${size}`)
      expect(response.headers.get('content-type')).toContain('application/json')
      expect(response.headers.get('content-disposition')).toBeNull()
      expect(response.headers.get('etag')).toBeNull()
      expect(await failure(response)).toEqual({ status: 416, error: 'range_not_satisfiable' })
    },
  )
})

describe('a HEAD request', () => {
  test.each(['bytes=0-9', 'bytes=99999-'])('ignores Range: %s', async range => {
    const response = await read(1000, { range }, 'download', 'HEAD')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-length')).toBe('1000')
    expect(response.headers.get('content-range')).toBeNull()
  })
})

describe('an empty file', () => {
  test('has no satisfiable range', async () => {
    const file = await buildFile(user, {}, '')
    const response = await user.raw(`/api/files/${file.id}/download`, { headers: { range: 'bytes=0-' } })
    expect(response.headers.get('content-range')).toBe('bytes */0')
    expect(await failure(response)).toEqual({ status: 416, error: 'range_not_satisfiable' })
  })
})

describe('If-Range', () => {
  const status = async (condition: string) => (await read(1000, { range: 'bytes=0-9', 'if-range': condition })).status

  test('allows the range for the current ETag, and gets the whole file otherwise', async () => {
    const etag = `"${files.get(1000)?.sha256}"`
    expect(await status(etag)).toBe(206)
    for (const condition of ['"other"', `W/${etag}`, etag.slice(1, -1), '*']) expect(await status(condition)).toBe(200)
  })

  test('gets the whole file for a date, because new content may have the same modification time', async () => {
    const form = { name: 'dated', modified_at: '2020-01-01T00:00:00Z' }
    const file = await buildFile(user, form, 'old content')
    await buildFile(user, { ...form, on_conflict: 'replace' }, 'new content')
    const response = await user.raw(`/api/files/${file.id}/download`, {
      headers: { range: 'bytes=4-', 'if-range': 'Wed, 01 Jan 2020 00:00:00 GMT' },
    })
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('new content')
  })

  test('gets the whole file instead of 416 when the condition fails', async () => {
    const response = await read(1000, { range: 'bytes=5000-', 'if-range': '"other"' })
    expect(response.status).toBe(200)
  })
})
