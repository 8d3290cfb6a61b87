/** Downloads: bytes, headers, conditions, and how a file name is sent in a header. */
import { createHash, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trashFile } from '../../src/api/trash.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { countOpenBlobs, readHoldings } from '../support/holdings.ts'
import { rounds } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import { overwrite } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { openSocket, requestHead } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const download = (id: number, headers: Record<string, string> = {}, method = 'GET') =>
  user.raw(`/api/files/${id}/download`, { method, headers })
/** The next bytes of a socket, read after some turns of the event loop so that the server has to wait. */
async function readSlowly(socket: Socket): Promise<Buffer> {
  for (let turn = 0; turn < 20; turn++) await new Promise(resolve => setImmediate(resolve))
  return new Promise(resolve => {
    socket.once('data', chunk => {
      socket.pause()
      resolve(chunk)
    })
    socket.resume()
  })
}

/** The name in Content-Disposition's `filename*`, which RFC 8187 defines. */
const starredName = (response: Response): string => {
  const [, encoded = ''] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? []
  return decodeURIComponent(encoded)
}

describe('a download', () => {
  test.each([1000, 200_000])('of %i bytes has all headers that describe them', async size => {
    const bytes = randomBytes(size)
    const file = await buildFile(user, { name: `data-${size}.bin`, modified_at: '2021-05-06T07:08:09Z' }, bytes)
    const response = await download(file.id)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': String(size),
      'content-disposition': `attachment; filename="data-${size}.bin"`,
      'accept-ranges': 'bytes',
      etag: `"${createHash('sha256').update(bytes).digest('hex')}"`,
      'last-modified': 'Thu, 06 May 2021 07:08:09 GMT',
      'cache-control': 'private, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none'/),
    })
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test.each(['a.html', 'a.svg', 'a.pdf', 'a.js', 'a.png', 'a.txt', 'a.xml'])(
    'is an attachment whatever its type: %s',
    async name => {
      const file = await buildFile(user, { name })
      expect((await download(file.id)).headers.get('content-disposition')).toMatch(/^attachment; /)
    },
  )

  test('has the time of the upload when the client gave none', async () => {
    const file = await buildFile(user)
    const { headers } = await download(file.id)
    const expected = new Date(Math.floor(Date.parse(file.updated_at) / 1000) * 1000).toUTCString()
    expect(headers.get('last-modified')).toBe(expected)
  })

  test('has the same headers and no bytes when the method is HEAD', async () => {
    for (const bytes of [randomBytes(1000), randomBytes(200_000), '']) {
      const file = await buildFile(user, {}, bytes)
      const [get, head] = [await download(file.id), await download(file.id, {}, 'HEAD')]
      const about = (response: Response) =>
        [...response.headers].filter(
          ([name]) => !['date', 'set-cookie', 'x-request-id', 'connection', 'keep-alive'].includes(name),
        )
      expect(head.status).toBe(200)
      expect(about(head)).toEqual(about(get))
      expect(await head.text()).toBe('')
      await get.arrayBuffer()
    }
  })

  test('is 404 for a folder, a trashed file, another user’s file and an unknown id', async () => {
    const stranger = await buildUser(server, { role: 'admin' })
    const trashed = await buildFile(user)
    await user.call(trashFile, { id: trashed.id })
    const ids = [(await buildFolder(user)).id, trashed.id, (await buildFile(stranger)).id, 999_999]
    for (const id of ids) expect(await failure(await download(id))).toEqual({ status: 404, error: 'not_found' })
  })

  test('is complete for a client that reads slowly and pipelines its requests', async () => {
    const bytes = randomBytes(9 * 1024 ** 2 + 12345)
    const file = await buildFile(user, {}, bytes)
    const socket = await openSocket(server.url)
    const path = `/api/files/${file.id}/download`
    const heads = ['bytes=0-', 'bytes=777-', 'bytes=0-'].map(range =>
      requestHead(server.url, 'GET', path, { ...user.headers, range }),
    )
    socket.write(heads.join(''))
    let rest: Buffer = Buffer.alloc(0)
    for (const start of [0, 777, 0]) {
      const expected = bytes.subarray(start)
      while (!rest.includes('\r\n\r\n')) rest = Buffer.concat([rest, await readSlowly(socket)])
      const head = rest.indexOf('\r\n\r\n')
      const pieces: Buffer[] = [rest]
      for (let left = head + 4 + expected.length - rest.length; left > 0; left -= pieces.at(-1)?.length ?? 0) {
        pieces.push(await readSlowly(socket))
      }
      rest = Buffer.concat(pieces)
      expect(rest.subarray(0, 20).toString()).toBe('HTTP/1.1 206 Partial')
      expect(rest.subarray(head + 4, head + 4 + expected.length).equals(expected)).toBe(true)
      rest = rest.subarray(head + 4 + expected.length)
    }
    socket.destroy()
  })

  test('closes its file when the client disconnects', async () => {
    const file = await buildFile(user, {}, randomBytes(20 * 1024 ** 2))
    const head = requestHead(server.url, 'GET', `/api/files/${file.id}/download`, user.headers)
    for (let round = 0; round < 10; round++) {
      const socket = await openSocket(server.url)
      // Every second client has asked for the next download already.
      socket.write(head.repeat(1 + (round % 2)))
      await new Promise(resolve => socket.once('data', resolve))
      socket.destroy()
    }
    await expect.poll(() => countOpenBlobs(server)).toBe(0)
  })
})

describe('lost bytes', () => {
  const lose = async (size: number) => {
    const before = await readHoldings(server)
    const file = await buildFile(user, { name: `lost-${size}.bin` }, randomBytes(size))
    const key = (await readHoldings(server)).keys.find(candidate => !before.keys.includes(candidate)) ?? ''
    return { file, key }
  }

  test('are 500 in the envelope, and the answer does not name their path', async () => {
    const { file, key } = await lose(100_000)
    await server.deps.store.remove(key)
    const response = await download(file.id)
    expect(response.status).toBe(500)
    expect(response.headers.get('content-disposition')).toBeNull()
    expect(response.headers.get('etag')).toBeNull()
    const body = await response.json()
    expect(body).toMatchObject({ success: false, error: 'internal' })
    expect(JSON.stringify(body)).not.toMatch(/blobs|storage|ENOENT/)
  })

  test('at the end of a file are 500, too, instead of a download that never ends', async () => {
    const { file, key } = await lose(300_000)
    await overwrite(server, key, bytes => bytes.subarray(0, 100_000))
    const ways: Record<string, string>[] = [{}, { range: 'bytes=50000-' }]
    for (const headers of ways) {
      expect(await failure(await download(file.id, headers))).toEqual({ status: 500, error: 'internal' })
    }
  })
})

describe('a file whose content is replaced again and again', () => {
  test.each([20_000, 100_000])('is downloaded completely or answered with 503, never lost: %i bytes', async size => {
    const name = `changing-${size}`
    const contents = Array.from({ length: rounds(8, 20) }, () => randomBytes(size))
    const file = await buildFile(user, { name }, contents[0])
    const sums = new Set(contents.map(bytes => createHash('sha256').update(bytes).digest('hex')))
    const change = async () => {
      for (const bytes of contents) await buildFile(user, { name, on_conflict: 'replace' }, bytes)
    }
    const read = async () => {
      for (let round = 0; round < rounds(16, 40); round++) {
        const response = await download(file.id)
        const bytes = Buffer.from(await response.arrayBuffer())
        if (response.status === 503) continue
        expect(response.status).toBe(200)
        const sum = createHash('sha256').update(bytes).digest('hex')
        expect(response.headers.get('etag')).toBe(`"${sum}"`)
        expect(sums).toContain(sum)
      }
    }
    await Promise.all([change(), read(), read()])
  })
})

describe('If-None-Match', () => {
  test('answers 304 without a body when the content is the same', async () => {
    const file = await buildFile(user, {}, randomBytes(100_000))
    const etag = `"${file.sha256}"`
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const response = await download(file.id, { 'if-none-match': header }, method)
        expect(response.status).toBe(304)
        expect(response.headers.get('etag')).toBe(etag)
        expect(await response.text()).toBe('')
      }
    }
    expect((await download(file.id, { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('takes precedence over Range', async () => {
    const file = await buildFile(user, {}, 'abcdef')
    const response = await download(file.id, { 'if-none-match': `"${file.sha256}"`, range: 'bytes=0-1' })
    expect(response.status).toBe(304)
  })

  test('no longer matches after new content', async () => {
    const file = await buildFile(user, { name: 'renewed' }, 'old')
    await buildFile(user, { name: 'renewed', on_conflict: 'replace' }, 'new')
    const response = await download(file.id, { 'if-none-match': `"${file.sha256}"` })
    expect(await response.text()).toBe('new')
  })
})

describe('a name in Content-Disposition', () => {
  test.each([
    'Größe.txt',
    '日本語.txt',
    '👍.txt',
    '€ 50%.txt',
    "it's (1)*.txt",
    'a;b=c,d.txt',
    '%41.txt',
    'é"quoted".txt',
  ])('arrives unchanged: %s', async name => {
    const file = await buildFile(user, { name })
    const response = await download(file.id)
    const header = response.headers.get('content-disposition') ?? ''
    expect(header).toMatch(/^attachment; filename="/)
    expect(header.includes('filename*=') ? starredName(response) : /filename="(.*)"/.exec(header)?.[1]).toBe(name)
  })

  test.each(['a"; filename="b.exe', 'a\\"; x="y', 'a\\', '"', 'a"\u2028Set-Cookie: x=y'])(
    'cannot add a parameter or a header: %j',
    async name => {
      const file = await buildFile(user, { name })
      const response = await download(file.id)
      const header = response.headers.get('content-disposition') ?? ''
      expect(header).toMatch(/^attachment; filename="(?:[^"\\]|\\.)*"(?:; filename\*=UTF-8''[\w%!#$&+.^`|~-]+)?$/)
      expect(response.headers.getSetCookie().join()).not.toContain('x=y')
    },
  )
})
