/** Uploads: the form, what is stored of it, and that equal content is stored once. */

import { createHash, randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { inlineLimit } from '../../src/api/limits.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { type Holdings, readHoldings } from '../support/holdings.ts'
import { multipartBody, multipartType, type Part } from '../support/multipart.ts'
import { onlyInFolder } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { sendWire } from '../support/wire.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const send = (...parts: Part[]) =>
  user.raw('/api/files/upload', {
    method: 'POST',
    headers: { 'content-type': multipartType },
    body: multipartBody(parts),
  })
const file = (value: string | Buffer = 'content', fileName = 'part.txt'): Part => ({ name: 'file', fileName, value })
const fileOf = async (response: Response) => (await response.json()).data.file

describe('an upload', () => {
  test('is answered with the stored file', async () => {
    const bytes = randomBytes(100_000)
    const response = await send(file(bytes, 'random.bin'))
    expect(response.status).toBe(201)
    const stored = await fileOf(response)
    expect(stored).toMatchObject({
      name: 'random.bin',
      path: '/random.bin',
      size: 100_000,
      mime_type: 'application/octet-stream',
      is_directory: false,
      owner_id: user.id,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })
    const download = await user.raw(`/api/files/${stored.id}/download`)
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test.each([0, 1, inlineLimit - 1, inlineLimit, inlineLimit + 1, 1024 ** 2, 3 * 1024 ** 2 + 1])(
    'of %i bytes is downloaded unchanged',
    async size => {
      const bytes = randomBytes(size)
      const stored = await buildFile(user, {}, bytes)
      expect(stored.size).toBe(size)
      const download = await user.raw(`/api/files/${stored.id}/download`)
      expect(download.headers.get('content-length')).toBe(String(size))
      expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
    },
  )

  test('accepts its fields before or after the file', async () => {
    const folder = await buildFolder(user)
    const fields: Part[] = [
      { name: 'parent_id', value: String(folder.id) },
      { name: 'name', value: 'named.md' },
      { name: 'modified_at', value: '2020-01-02T03:04:05.678Z' },
      { name: 'on_conflict', value: 'rename' },
    ]
    for (const [parts, name] of [
      [[...fields, file()], 'named.md'],
      [[file(), ...fields], 'named (1).md'],
      [[...fields.slice(0, 2), file(), ...fields.slice(2)], 'named (2).md'],
    ] as const) {
      const response = await send(...parts)
      expect(response.status).toBe(201)
      expect(await fileOf(response)).toMatchObject({
        name,
        parent_id: folder.id,
        mime_type: 'text/markdown',
        modified_at: '2020-01-02T03:04:05.678Z',
      })
    }
  })

  test('is accepted in chunks, without a declared length', async () => {
    async function* pieces(): AsyncGenerator<Buffer> {
      const body = multipartBody([file(Buffer.alloc(200_000, 'z'), 'chunked.txt')])
      for (let start = 0; start < body.length; start += 4999) yield body.subarray(start, start + 4999)
    }
    const answer = await sendWire(server.url, {
      method: 'POST',
      path: '/api/files/upload',
      headers: { ...user.headers, 'content-type': multipartType },
      body: pieces(),
    })
    expect(answer.status).toBe(201)
    expect(JSON.parse(answer.text).data.file).toMatchObject({ name: 'chunked.txt', size: 200_000 })
  })

  test('takes the type of the file from its name, not from the part', async () => {
    const form = new FormData()
    form.set('file', new Blob(['<script>'], { type: 'text/html' }), 'picture.png')
    expect(await fileOf(await user.raw('/api/files/upload', { method: 'POST', body: form }))).toMatchObject({
      mime_type: 'image/png',
    })
  })

  test.each(['2024-02-29', 'yesterday', '2024-02-30T00:00:00Z', '2024-01-01T00:00:00', '1700000000000', ''])(
    'is refused when modified_at is no ISO time: %s',
    async value => {
      const refused = { status: 400, error: 'invalid_input', fields: { modified_at: expect.any(String) } }
      expect(await failure(await send({ name: 'modified_at', value }, file()))).toEqual(refused)
      expect(await failure(await send(file(), { name: 'modified_at', value }))).toEqual(refused)
    },
  )

  test.each(['0000-12-31T23:59:59.999Z', '0001-01-01T00:00:00+00:01', '9999-12-31T23:59:59-00:01'])(
    'is refused when the UTC year of modified_at is not from 0001 to 9999: %s',
    async value => {
      const refused = { status: 400, error: 'invalid_input', fields: { modified_at: expect.any(String) } }
      expect(await failure(await send({ name: 'modified_at', value }, file()))).toEqual(refused)
    },
  )

  test.each([
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z', 'Mon, 01 Jan 0001 00:00:00 GMT'],
    ['0000-12-31T23:59:00-00:01', '0001-01-01T00:00:00.000Z', 'Mon, 01 Jan 0001 00:00:00 GMT'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', 'Fri, 31 Dec 9999 23:59:59 GMT'],
  ])('keeps a modified_at at the limits of the range: %s', async (value, shown, told) => {
    const { id, modified_at } = await fileOf(await send({ name: 'modified_at', value }, file()))
    expect(modified_at).toBe(shown)
    expect((await user.raw(`/api/files/${id}/download`)).headers.get('last-modified')).toBe(told)
  })
})

describe('a form that is no valid upload', () => {
  const refused = { status: 400, error: 'invalid_input' }
  const big = 'y'.repeat(50_000)
  // Read this once, because bytes of an upload that was just refused may not be deleted yet when the next test begins.
  let before: Holdings

  beforeAll(async () => {
    before = await readHoldings(server)
  })

  test.each<[string, Part[]]>([
    ['without a file', [{ name: 'name', value: 'a' }]],
    ['without any part', []],
    ['with the file as a text field', [{ name: 'file', value: 'text' }]],
    ['with an empty file name', [file(big, '')]],
    ['with the file under another name', [{ name: 'upload', fileName: 'a.txt', value: big }]],
    ['with a second file', [file(big), file(big, 'second.txt')]],
    ['with a second, empty file', [file(big), file('', 'second.txt')]],
    ['with a second file under another name', [file(big), { name: 'more', fileName: 'b.txt', value: big }]],
    ['with an unknown field', [{ name: 'colour', value: 'red' }, file(big)]],
    ['with an unknown field after the file', [file(big), { name: 'Name', value: 'a' }]],
    ['with metadata that is no JSON', [{ name: 'metadata', value: '[{]' }, file(big)]],
    ['with metadata that is no list', [{ name: 'metadata', value: '{}' }, file(big)]],
    [
      'with metadata of a field that is not there',
      [{ name: 'metadata', value: '[{"field_id":9,"value":"a"}]' }, file(big)],
    ],
    ['with such metadata after the file', [file(big), { name: 'metadata', value: '[{"field_id":9,"value":""}]' }]],
    ['with a field twice', [{ name: 'name', value: 'a' }, { name: 'name', value: 'b' }, file(big)]],
    ['with a field as a list', [{ name: 'name[]', value: 'a' }, file(big)]],
    ['with a field as an object', [{ name: 'name[a]', value: 'a' }, file(big)]],
    ['with a field of many dimensions', [{ name: `name${'[a]'.repeat(20)}`, value: 'a' }, file(big)]],
    ['with the prototype as a field', [{ name: '__proto__', value: 'a' }, file(big)]],
    ['with the prototype’s prototype', [{ name: '__proto__[on_conflict]', value: 'replace' }, file(big)]],
    ['with a wrong rule', [{ name: 'on_conflict', value: 'overwrite' }, file(big)]],
    ['with a wrong rule after the file', [file(big), { name: 'on_conflict', value: 'overwrite' }]],
    ['with nine fields', [...Array.from({ length: 9 }, (_, n) => ({ name: `f${n}`, value: 'a' })), file(big)]],
    ['with a field of more than 64 KiB', [{ name: 'name', value: 'x'.repeat(65_537) }, file(big)]],
    ['with such a field after the file', [file(big), { name: 'name', value: 'x'.repeat(65_537) }]],
    ['with a field of a long name', [{ name: 'n'.repeat(10_000), value: 'a' }, file(big)]],
  ])('is refused and leaves nothing: %s', async (_what, parts) => {
    expect(await failure(await send(...parts))).toMatchObject(refused)
    await expect.poll(() => readHoldings(server)).toEqual(before)
  })

  test.each(['application/json', 'application/octet-stream', 'application/x-www-form-urlencoded', 'text/plain'])(
    'is 415 as %s',
    async type => {
      const response = await user.raw('/api/files/upload', {
        method: 'POST',
        headers: { 'content-type': type },
        body: 'x',
      })
      expect(await failure(response)).toEqual({ status: 415, error: 'unsupported_media' })
    },
  )

  test('is 415 with a Content-Encoding or without a body', async () => {
    const encoded = await user.raw('/api/files/upload', {
      method: 'POST',
      headers: { 'content-type': multipartType, 'content-encoding': 'gzip' },
      body: multipartBody([file()]),
    })
    expect(await failure(encoded)).toEqual({ status: 415, error: 'unsupported_media' })
    const empty = await user.raw('/api/files/upload', { method: 'POST' })
    expect(await failure(empty)).toEqual({ status: 415, error: 'unsupported_media' })
  })
})

describe('equal content', () => {
  test.each([10, 100_000])('of %i bytes is stored once, and counts in full for each file', async size => {
    const bytes = randomBytes(size)
    const stranger = await buildUser(server)
    const before = await readHoldings(server)
    const first = await buildFile(user, {}, bytes)
    const one = await readHoldings(server)
    const second = await buildFile(user, {}, bytes)
    const foreign = await buildFile(stranger, {}, bytes)
    expect(one.blobs).toBe(before.blobs + 1)
    // The first upload of this content in another space replaces the stored bytes, and the old ones are deleted after
    // the answer.
    await expect.poll(async () => (await readHoldings(server)).keys.length).toBe(one.keys.length)
    const { keys: _keys, ...after } = await readHoldings(server)
    const { keys: _ones, ...counts } = one
    expect(after).toEqual({
      ...counts,
      files: one.files + 2,
      itemCount: one.itemCount + 2,
      storageUsed: one.storageUsed + 2 * size,
    })
    expect(new Set([first, second, foreign].map(({ sha256 }) => sha256)).size).toBe(1)
  })

  test('in concurrent uploads of one user is stored once', async () => {
    const bytes = randomBytes(100_000)
    const before = await readHoldings(server)
    const files = await Promise.all(Array.from({ length: 8 }, () => buildFile(user, {}, bytes)))
    expect(new Set(files.map(({ id }) => id)).size).toBe(8)
    expect((await readHoldings(server)).blobs).toBe(before.blobs + 1)
    await expect.poll(async () => (await readHoldings(server)).keys).toHaveLength(before.keys.length + 1)
  })

  test('in concurrent uploads and replacements of many users is stored once, and deleted with its last file', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => buildUser(server)))
    const before = await readHoldings(server)
    for (let round = 0; round < 4; round++) {
      const bytes = randomBytes(round % 2 === 0 ? 100_000 : 1000)
      const put = (client: BuiltUser) => buildFile(client, { name: 'shared', on_conflict: 'replace' }, bytes)
      const files = await Promise.all(users.map(put))
      expect(new Set(files.map(({ sha256 }) => sha256)).size).toBe(1)
      expect((await readHoldings(server)).blobs).toBe(before.blobs + 1)
    }
    await expect.poll(async () => (await readHoldings(server)).keys).toEqual(before.keys)
  })

  test('stays for one file when the other file gets new content', async () => {
    const bytes = randomBytes(100_000)
    const [kept, changed] = [await buildFile(user, {}, bytes), await buildFile(user, { name: 'changed' }, bytes)]
    await buildFile(user, { name: 'changed', on_conflict: 'replace' }, 'other')
    const download = await user.raw(`/api/files/${kept.id}/download`)
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
    expect(changed.sha256).toBe(kept.sha256)
  })

  test('that cannot be deleted from the store does not undo its replacement', async context => {
    onlyInFolder(context)
    const before = await readHoldings(server)
    const file = await buildFile(user, { name: 'stuck' }, randomBytes(100_000))
    const key = (await readHoldings(server)).keys.find(candidate => !before.keys.includes(candidate)) ?? ''
    const path = join(server.dataDir, 'storage', 'blobs', key.slice(0, 2), key)
    await rm(path)
    await mkdir(path)
    const bytes = randomBytes(100_000)
    await buildFile(user, { name: 'stuck', on_conflict: 'replace' }, bytes)
    const download = await user.raw(`/api/files/${file.id}/download`)
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
    await rm(path, { recursive: true })
  })

  test('is deleted from the store with its last file', async () => {
    const before = await readHoldings(server)
    await buildFile(user, { name: 'only one' }, randomBytes(100_000))
    await buildFile(user, { name: 'only one', on_conflict: 'replace' }, '')
    await expect.poll(async () => (await readHoldings(server)).keys).toEqual(before.keys)
    expect((await user.call(listFiles, {})).files.map(({ name }) => name)).toContain('only one')
  })
})
