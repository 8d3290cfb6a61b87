/** An object store that answers without an end, or something else than it was asked for. */
import { tmpdir } from 'node:os'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openS3Store } from '../../src/blobs/s3/s3.ts'
import { listKeys } from '../contracts/stores.ts'
import { type S3Fate, type S3Server, s3Credentials, startS3Server } from '../support/s3-server.ts'

let server: S3Server
beforeEach(async () => {
  server = await startS3Server()
})
afterEach(() => server.close())

const open = () =>
  openS3Store({ address: server.address, credentials: s3Credentials, largest: 1e9, temporary: tmpdir() })

const keyOf = (number: number): string => `here/b/${number.toString(16).padStart(64, '0')}`
const entryOf = (key: string): string => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`
const page = (keys: readonly string[], token: string): string =>
  `<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>${keys.map(entryOf).join('')}</ListBucketResult>`

/** Bytes of what was sent, by a writer that stops when nobody reads. */
let sent = 0
function flood(first: string, again: string, bytes: number, status = 200): S3Fate {
  return {
    lie: response => {
      sent = 0
      response.writeHead(status)
      const write = (text: string): void => {
        sent += text.length
        response.write(text, error => {
          if (error) return
          if (sent < bytes) write(again)
          else response.end()
        })
      }
      write(first)
    },
  }
}

const away = { code: 'unavailable' }

describe('a list without an end', () => {
  test.each<[string, (asked: number) => string]>([
    ['of the same page', () => page([keyOf(1), keyOf(2)], 'again')],
    ['of new tokens and no keys', asked => page([], `token-${asked}`)],
    ['that goes round', asked => page([keyOf(asked % 7)], `token-${asked}`)],
  ])('%s is given up', async (_what, answer) => {
    const store = await open()
    let asked = 0
    server.decide = () => {
      asked += 1
      return { lie: response => void response.end(answer(asked)) }
    }
    await expect(listKeys(store)).rejects.toMatchObject(away)
    await expect(store.removeUnfinished(Date.now(), async () => new Set())).rejects.toMatchObject(away)
    expect(asked).toBeLessThan(300)
  })

  test('of keys that nobody asked for has none', async () => {
    const store = await open()
    const text = page([`other/${keyOf(1)}`, `here/q/${keyOf(1)}`], '').replace('true', 'false')
    server.decide = () => ({ lie: response => void response.end(text) })
    expect(await listKeys(store)).toEqual([])
  })
})

describe('a gigabyte of XML', () => {
  const gigabyte = 1024 ** 3
  const megabyte = 1024 ** 2

  test.each<[string, string, string]>([
    ['in one text', '<ListBucketResult><Key>', 'x'.repeat(megabyte)],
    ['of elements', '<ListBucketResult>', '<a/>'.repeat(megabyte / 4)],
    ['of nested elements', '<ListBucketResult>', '<a>'.repeat(megabyte / 4)],
  ])('%s is not read to its end', async (_what, first, again) => {
    const store = await open()
    server.decide = () => flood(first, again, gigabyte)
    await expect(listKeys(store)).rejects.toMatchObject(away)
    expect(sent).toBeLessThan(64 * megabyte)
  })

  test('as an error is not read to its end', async () => {
    const store = await open()
    server.decide = () => flood('<Error>', 'x'.repeat(megabyte), gigabyte, 403)
    await expect(listKeys(store)).rejects.toMatchObject(away)
    expect(sent).toBeLessThan(64 * megabyte)
  })
})

test('XML within the limits but of too many elements is refused', async () => {
  const store = await open()
  const text = `<ListBucketResult>${'<a/>'.repeat(60_000)}</ListBucketResult>`
  server.decide = () => ({ lie: response => void response.end(text) })
  await expect(listKeys(store)).rejects.toMatchObject(away)
})

test('entities are not expanded', async () => {
  const store = await open()
  const entities = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
  const text = `<?xml version="1.0"?>${entities}<ListBucketResult><Contents><Key>here/b/&x;</Key></Contents></ListBucketResult>`
  server.decide = () => ({ lie: response => void response.end(text) })
  await expect(listKeys(store)).rejects.toMatchObject(away)
})

describe('an answer that is no use', () => {
  const key = '0'.repeat(64)
  const range = { start: 0, end: 999 }
  const whole = { 'content-length': 1000, 'content-range': 'bytes 0-999/*' }
  let isClosed = false
  beforeEach(() => {
    isClosed = false
  })

  /** An answer that begins, and then says nothing more. */
  const begin = (headers: Record<string, string | number>): S3Fate => ({
    lie: response => {
      response.once('close', () => {
        isClosed = true
      })
      response.writeHead(206, { etag: '"a"', ...headers })
      response.write(Buffer.alloc(100))
    },
  })

  test.each<[string, Record<string, string | number>, string]>([
    ['of all that a shorter object has', { 'content-length': 999, 'content-range': 'bytes 0-998/999' }, 'ENOENT'],
    ['of a part of what was asked for', { 'content-length': 999, 'content-range': 'bytes 0-998/5000' }, 'unavailable'],
    ['of no known length', { 'content-range': 'bytes 0-999/1000' }, 'unavailable'],
    ['of no known range', { 'content-length': 1000 }, 'unavailable'],
    ['of another range', { 'content-length': 1000, 'content-range': 'bytes 1000-1999/5000' }, 'unavailable'],
    ['of a longer range', { 'content-length': 1001, 'content-range': 'bytes 0-1000/5000' }, 'unavailable'],
    ['of a range that nothing can have', { 'content-length': 1000, 'content-range': 'bytes 0-999/5' }, 'unavailable'],
  ])('%s ends with its connection', async (_what, headers, code) => {
    const store = await open()
    server.decide = () => begin(headers)
    await expect(store.read(key, range)).rejects.toMatchObject({ code })
    await expect.poll(() => isClosed).toBe(true)
  })

  test('of fewer bytes, all of which have come, ends no more than the read', async () => {
    const store = await open()
    server.decide = () => ({
      lie: response => {
        response.writeHead(206, { etag: '"a"', 'content-length': 999, 'content-range': 'bytes 0-998/999' })
        response.end(Buffer.alloc(999))
      },
    })
    // Whether they have come by then is chance.
    for (let time = 0; time < 10; time++) await expect(store.read(key, range)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('because its reader has gone ends with its connection', async () => {
    const store = await open()
    server.decide = () => begin(whole)
    const stream = await store.read(key, range)
    stream.destroy()
    await expect.poll(() => isClosed).toBe(true)
  })

  test('after a break, because it has another length, ends with its connection', async () => {
    const store = await open()
    let asked = 0
    server.decide = () => {
      asked += 1
      if (asked > 1) return begin({ 'content-length': 1 })
      return {
        lie: response => {
          response.writeHead(206, { etag: '"a"', ...whole })
          response.write(Buffer.alloc(100), () => response.destroy())
        },
      }
    }
    await expect(buffer(await store.read(key, range))).rejects.toMatchObject(away)
    await expect.poll(() => isClosed).toBe(true)
  })
})

test('another range is not taken for the rest of a broken answer', async () => {
  const store = await open()
  let asked = 0
  server.decide = () => ({
    lie: response => {
      asked += 1
      const length = asked === 1 ? 1000 : 900
      const range = `bytes 0-${length - 1}/1000`
      response.writeHead(206, { etag: '"a"', 'content-length': length, 'content-range': range })
      if (asked === 1) response.write(Buffer.alloc(100), () => response.destroy())
      else response.end(Buffer.alloc(length))
    },
  })
  const reading = store.read('0'.repeat(64), { start: 0, end: 999 }).then(buffer)
  await expect(reading).rejects.toMatchObject(away)
})

test.each([
  ['the whole object for a range', { start: 0, end: 3 }, 200],
  ['a range for the whole object', undefined, 206],
])('%s is not taken for what was asked for', async (_what, range, status) => {
  const store = await open()
  server.decide = () => ({ lie: response => void response.writeHead(status, { 'content-length': 4 }).end('abcd') })
  await expect(store.read('0'.repeat(64), range)).rejects.toMatchObject(away)
})
