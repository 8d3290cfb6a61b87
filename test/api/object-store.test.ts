/** The server with its files' bytes in an object store, which breaks, is busy, refuses and loses. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createServer, type Server } from 'node:tls'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { copyFile } from '../../src/api/files.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { day } from '../../src/base/clock.ts'
import { openStore } from '../../src/blobs/open-store.ts'
import { readConfig } from '../../src/config.ts'
import { authority, localhost } from '../support/certificates.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { runJob } from '../support/jobs.ts'
import { multipartBody, multipartType } from '../support/multipart.ts'
import { type S3Fate, type S3Server, s3Environment, startS3Server } from '../support/s3-server.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let store: S3Server
let server: TestServer
let user: BuiltUser

beforeAll(async () => {
  store = await startS3Server({ pageSize: 3 })
  server = await startServer({ storage: store.flag, maxFileSize: '1GB' })
  user = await buildUser(server)
})
beforeEach(() => {
  store.decide = () => 'serve'
})
afterAll(async () => {
  await server.close()
  await store.close()
})

/** Bytes that no other test has stored: they repeat, but in no rhythm that parts or ranges could have. */
const bytesOf = (size: number): Buffer => Buffer.alloc(size, randomBytes(4093))

const keys = (): string[] => [...store.objects.keys()].filter(key => key.startsWith('here/b/'))

async function download(id: number, headers: Record<string, string> = {}): Promise<Buffer | number> {
  const response = await user.raw(`/api/files/${id}/download`, { headers })
  return response.ok ? Buffer.from(await response.arrayBuffer()) : response.status
}

/** Lets the first requests of a kind fail. */
function failFirst(pattern: RegExp, fate: S3Fate, times = 1): void {
  let left = times
  store.decide = name => {
    if (!pattern.test(name)) return 'serve'
    left -= 1
    return left >= 0 ? fate : 'serve'
  }
}

const megabyte = 1024 ** 2

test.each([
  ['one request', 100_000],
  ['just one part', 8 * megabyte],
  ['several parts', 17 * megabyte + 5],
])('a file that takes %s comes back byte for byte, whole and in ranges', async (_what, size) => {
  const bytes = bytesOf(size)
  const { id } = await buildFile(user, {}, bytes)
  expect((await download(id)) as Buffer).toEqual(bytes)
  const range = (await download(id, { range: `bytes=${size - 70_000}-${size - 10}` })) as Buffer
  expect(range.equals(bytes.subarray(size - 70_000, size - 9))).toBe(true)
  expect(store.uploads.size).toBe(0)
})

test('equal contents are stored once, copies share them, and deleting the last one removes them', async () => {
  const before = keys().length
  const bytes = bytesOf(50_000)
  const folder = await buildFolder(user)
  const files = [await buildFile(user, {}, bytes), await buildFile(user, {}, bytes)]
  files.push((await user.call(copyFile, { id: files[0]?.id ?? 0, parent_id: folder.id })).file)
  await server.deps.removals.settled()
  await expect.poll(() => keys().length).toBe(before + 1)
  for (const { id } of files) {
    expect(await download(id)).toEqual(bytes)
    await user.call(trashFile, { id })
    await user.call(deleteFile, { id })
  }
  await expect.poll(() => keys().length).toBe(before)
})

test('an upload of known content downloads nothing, and mends what has become wrong', async () => {
  const bytes = bytesOf(50_000)
  const { id } = await buildFile(user, {}, bytes)
  const key = keys().find(candidate => store.objects.get(candidate)?.bytes.equals(bytes)) ?? ''
  const wrong = Buffer.alloc(bytes.length)
  store.objects.set(key, { bytes: wrong, modifiedAt: Date.now() })
  store.requests.length = 0
  await buildFile(user, {}, bytes)
  await server.deps.removals.settled()
  expect(store.requests.filter(name => /^GET \S+\/b\/\w/.test(name))).toEqual([])
  expect(await download(id)).toEqual(bytes)
})

test('an image has a thumbnail, and a folder a ZIP file', async () => {
  const folder = await buildFolder(user)
  const picture = await drawImage(900, 700).as('png')
  const { id } = await buildFile(
    user,
    { name: 'a.png', parent_id: folder.id },
    Buffer.concat([picture, Buffer.alloc(40_000)]),
  )
  expect((await user.raw(`/api/files/${id}/thumbnail`)).status).toBe(200)
  const zip = Buffer.from(await (await user.raw(`/api/files/${folder.id}/archive`)).arrayBuffer())
  expect(zip.includes(picture.subarray(0, 5000))).toBe(true)
})

describe('a store that fails for a moment', () => {
  test.each<[string, S3Fate]>([
    ['breaks the connection', 'break'],
    ['is busy', { status: 503, code: 'SlowDown' }],
    ['fails', { status: 500, code: 'InternalError' }],
  ])('and %s is asked again, for an upload and a download', async (_what, fate) => {
    const bytes = bytesOf(100_000)
    failFirst(/^PUT .*\/b\//, fate, 2)
    const { id } = await buildFile(user, {}, bytes)
    failFirst(/^GET .*\/b\//, fate, 2)
    expect(await download(id)).toEqual(bytes)
  })

  test('and loses a part or the answer that all parts are there keeps the file whole', async () => {
    const bytes = bytesOf(9 * megabyte)
    failFirst(/^PUT .*partNumber=2/, 'break')
    const { id } = await buildFile(user, {}, bytes)
    expect(((await download(id)) as Buffer).equals(bytes)).toBe(true)
    expect(store.uploads.size).toBe(0)
  })

  test('and breaks a download in the middle goes on from there', async () => {
    const bytes = bytesOf(3 * megabyte)
    const { id } = await buildFile(user, {}, bytes)
    failFirst(/^GET .*\/b\//, 'break midway', 3)
    const got = (await download(id)) as Buffer
    expect(createHash('sha256').update(got).digest('hex')).toBe(createHash('sha256').update(bytes).digest('hex'))
  })
})

describe('a store that stays away', () => {
  test.each<[string, S3Fate, number, string]>([
    ['does not answer', 'break', 503, 'unavailable'],
    ['refuses the key', { status: 403, code: 'AccessDenied' }, 503, 'unavailable'],
    ['points elsewhere', { status: 307, code: 'TemporaryRedirect', location: '/elsewhere' }, 503, 'unavailable'],
    ['has forgotten the upload', { status: 404, code: 'NoSuchUpload' }, 503, 'unavailable'],
    ['is full', { status: 507, code: 'QuotaExceeded' }, 507, 'storage_full'],
  ])('and %s refuses an upload, small or in parts, and nothing of it stays', async (_what, fate, status, error) => {
    for (const size of [100_000, 9 * megabyte]) {
      const before = keys()
      store.decide = name => (/^(PUT|POST) /.test(name) ? fate : 'serve')
      const body = multipartBody([{ name: 'file', value: bytesOf(size), fileName: `${size}.bin` }])
      const headers = { 'content-type': multipartType }
      const response = await user.raw('/api/files/upload', { method: 'POST', headers, body })
      expect([size, response.status, (await response.json()).error]).toEqual([size, status, error])
      if (status === 503) expect(response.headers.get('retry-after')).toBe('5')
      // What earlier tests have replaced may go meanwhile.
      expect([keys().filter(key => !before.includes(key)), store.uploads.size]).toEqual([[], 0])
    }
    expect(store.requests.filter(name => name.includes('elsewhere'))).toEqual([])
  })

  test('is not ready, and ready when it is back', async () => {
    const ready = async () => (await fetch(`${server.url}/readyz`)).status
    expect(await ready()).toBe(200)
    store.decide = () => 'break'
    expect(await ready()).toBe(503)
    store.decide = () => 'serve'
    expect(await ready()).toBe(200)
  })
})

test('what has no row goes to the quarantine, and uploads in parts that never ended are dropped', async () => {
  const kept = await buildFile(user, {}, bytesOf(40_000))
  const stray = `here/b/${'a'.repeat(64)}`
  store.objects.set(stray, { bytes: bytesOf(10), modifiedAt: Date.now() - 2 * day })
  store.uploads.set('old', { key: stray, parts: new Map(), begunAt: Date.now() - 2 * day })
  store.uploads.set('new', { key: stray, parts: new Map(), begunAt: Date.now() })
  await runJob(server.deps, 'sweep')
  expect([...store.objects.keys()].filter(key => key.includes('a'.repeat(64)))).toEqual([
    expect.stringMatching(/^here\/q\/\d+-a{64}$/),
  ])
  expect([...store.uploads.keys()]).toEqual(['new'])
  store.uploads.clear()
  expect(Buffer.isBuffer(await download(kept.id))).toBe(true)
})

describe('at the start', () => {
  const open = (flag: string, env: NodeJS.ProcessEnv = s3Environment) => openStore(readConfig({ storage: flag }, env))

  test.each<[string, S3Fate, RegExp]>([
    ['a missing bucket', { status: 404, code: 'NoSuchBucket' }, /there is no such bucket/],
    ['a wrong key', { status: 403, code: 'InvalidAccessKeyId' }, /FILESTORE_S3_ACCESS_KEY_ID/],
    ['a wrong region', { status: 400, code: 'AuthorizationHeaderMalformed' }, /another region/],
    ['a wrong clock', { status: 403, code: 'RequestTimeTooSkewed' }, /clock is wrong/],
  ])('%s is refused with its remedy', async (_what, fate, words) => {
    store.decide = () => fate
    await expect(open(store.flag)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(words),
    })
  })

  test('a wrong secret is refused, and not repeated', async () => {
    const env = { ...s3Environment, FILESTORE_S3_SECRET_ACCESS_KEY: 'geheim-geheim' }
    const failure = await open(store.flag, env).catch((error: Error) => error)
    expect(failure).toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/the secret is not that/) })
    expect(JSON.stringify(failure)).not.toContain('geheim')
  })

  test.each([
    ['s3://', /names no bucket/],
    ['s3://user:secret@bucket', /names no bucket/],
    ['s3://files?colour=red', /its parameters are/],
    ['s3://files?endpoint=https://key:secret@host', /^(?!.*secret).*its endpoint is none/],
    ['s3://files?endpoint=ftp://host', /its endpoint is none/],
    ['s3://files/../other', /cannot begin the keys/],
    ['s3://files?style=new', /its style is neither/],
    ['s3://files?ca=store.pem', /its ca is no file/],
    ['s3://files?endpoint=http://host&ca=/store.pem', /its ca is no file of an https endpoint/],
    ['s3://files?public=https://key:secret@host', /^(?!.*secret).*its public address is none/],
    ['s3://files?redirect=yes', /its redirect is neither/],
  ])('the address %s is refused', (flag, words) => {
    expect(() => readConfig({ storage: flag }, s3Environment)).toThrow(words)
  })

  test('an address without credentials names the variables', () => {
    expect(() => readConfig({ storage: store.flag }, {})).toThrow(/FILESTORE_S3_SECRET_ACCESS_KEY/)
  })

  test('a file may hold the secret, and is read no further than a secret goes', async context => {
    const file = join(tmpdir(), `filestore-secret-${process.pid}`)
    context.onTestFinished(() => rm(file, { force: true }))
    const { FILESTORE_S3_SECRET_ACCESS_KEY: secret, ...others } = s3Environment
    const read = (path: string) =>
      readConfig({ storage: store.flag }, { ...others, FILESTORE_S3_SECRET_ACCESS_KEY_FILE: path }).storage
    await writeFile(file, `${secret}\n`)
    expect(read(file)).toMatchObject({ credentials: { secretAccessKey: secret } })
    await writeFile(file, 'x'.repeat(1_000_000))
    for (const long of [file, '/dev/zero']) {
      expect(() => read(long)).toThrow(`FILESTORE_S3_SECRET_ACCESS_KEY_FILE: ${long} has more than 16 KB`)
    }
  })
})

describe('a store whose certificate a private authority has signed', () => {
  let front: Server
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'filestore-ca-'))
    await writeFile(join(folder, 'ca.pem'), authority)
    await writeFile(join(folder, 'other.pem'), localhost.cert)
    await writeFile(join(folder, 'none.pem'), 'none')
    await symlink('/dev/zero', join(folder, 'endless.pem'))
    const { port } = new URL(store.address.endpoint)
    front = createServer(localhost, socket => {
      const behind = connect(Number(port), '127.0.0.1')
      for (const end of [socket, behind]) end.on('error', () => undefined)
      socket.pipe(behind).pipe(socket)
    })
    await new Promise<void>(resolve => front.listen(0, '127.0.0.1', resolve))
  })
  afterAll(async () => {
    front.close()
    await rm(folder, { recursive: true, force: true })
  })

  const openWith = (ca?: string) => {
    const { port } = front.address() as AddressInfo
    const flag = `s3://files/tls?endpoint=https://127.0.0.1:${port}${ca === undefined ? '' : `&ca=${join(folder, ca)}`}`
    return openStore(readConfig({ storage: flag }, s3Environment))
  }

  test('is used with that authority', async () => {
    const key = 'a'.repeat(64)
    const opened = await openWith('ca.pem')
    await opened.put(key, Readable.from([bytesOf(100)]))
    expect(await opened.size(key)).toBe(100)
  })

  test.each([undefined, 'other.pem'])('is not trusted with %s', async ca => {
    await expect(openWith(ca)).rejects.toMatchObject({ code: 'unavailable' })
  })

  test.each(['missing.pem', 'none.pem', 'endless.pem'])('a file without certificates is refused: %s', async ca => {
    await expect(openWith(ca)).rejects.toMatchObject({ code: 'invalid_input', message: expect.stringMatching(/ca=/) })
  })
})
