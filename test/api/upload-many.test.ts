/** Many small files in one request: each is stored or refused by itself, as if they had come one by one. */
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFileEvents, listFiles } from '../../src/api/files.ts'
import { maxChangesPerDay, maxUploadManyBytes, maxUploadManyFiles } from '../../src/api/limits.ts'
import { type UploadResult, uploadMany } from '../../src/api/upload-many.ts'
import { failure, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildFolder,
  buildKey,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { fileStart, multipartBody, multipartType, openParts, type Part } from '../support/multipart.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: TestClient

beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

interface Sent {
  item: Record<string, unknown>
  bytes: string | Buffer
}

const path = `/api${uploadMany.path}`

const partsOf = (files: readonly Sent[]): Part[] =>
  files.flatMap(({ item, bytes }) => [
    { name: 'item', value: JSON.stringify(item) },
    { name: 'file', value: bytes, fileName: 'file.bin' },
  ])

const send = (client: TestClient, parts: readonly Part[]): Promise<Response> =>
  client.raw(path, { method: 'POST', headers: { 'content-type': multipartType }, body: multipartBody(parts) })

async function upload(client: TestClient, files: readonly Sent[], parentId: number | null = null) {
  const response = await send(client, [{ name: 'parent_id', value: String(parentId ?? '') }, ...partsOf(files)])
  expect(response.status).toBe(200)
  const { data } = (await response.json()) as { data: unknown }
  return uploadMany.output.parse(data).results
}

/** The path of each stored file, and the code of each refused one. */
const outcomes = (results: readonly UploadResult[]): string[] =>
  results.map(result => (result.ok ? result.file.path : result.error))

const file = (name: string, more: object = {}, bytes: string | Buffer = `bytes of ${name}`): Sent => ({
  item: { name, ...more },
  bytes,
})

const many = (count: number): Sent[] => Array.from({ length: count }, (_, index) => file(`${index}.txt`))

const read = async (user: TestClient, id: number): Promise<Buffer> =>
  Buffer.from(await (await user.raw(`/api/files/${id}/download`)).arrayBuffer())

const total = async (user: BuiltUser): Promise<number> => (await user.call(listFiles, {})).total

describe('a request with many files', () => {
  test('stores each with its own bytes, name, time and event, in the folder that is given', async () => {
    const user = await buildUser(server)
    const { id: parent } = await buildFolder(user)
    const modified_at = '2020-02-02T02:02:02.000Z'
    const results = await upload(
      user,
      many(maxUploadManyFiles).map(sent => ({ ...sent, item: { ...sent.item, modified_at } })),
      parent,
    )
    expect(results.map(({ index }) => index)).toEqual(Array.from({ length: maxUploadManyFiles }, (_, index) => index))
    for (const result of results) {
      if (!result.ok) throw new Error(result.message)
      expect(result.file).toMatchObject({ name: `${result.index}.txt`, parent_id: parent, modified_at })
    }
    const [, second] = results
    const id = second?.ok ? second.file.id : 0
    expect((await read(user, id)).toString()).toBe('bytes of 1.txt')
    const { events } = await user.call(listFileEvents, { id })
    expect(events.map(({ action }) => action)).toEqual(['file.upload'])
  })

  test('stores small files, large ones and ones with metadata in their order, so that a later one gets the number', async () => {
    const user = await buildUser(server)
    const field = await buildField(admin)
    const large = Buffer.alloc(300_000, 'large')
    const metadata = [{ field_id: field.id, value: 'seven' }]
    const results = await upload(user, [
      file('a.txt'),
      file('a.txt', {}, large),
      file('a.txt', { metadata }),
      file('a (1).txt'),
      file('b.txt'),
    ])
    expect(outcomes(results)).toEqual(['/a.txt', '/a (1).txt', '/a (2).txt', '/a (1) (1).txt', '/b.txt'])
    const [, second, third] = results
    expect(second?.ok && (await read(user, second.file.id)).equals(large)).toBe(true)
    expect(third?.ok && third.file.metadata.map(({ value }) => value)).toEqual(['seven'])
  })

  test('makes missing folders of a path once, and uses those that exist', async () => {
    const user = await buildUser(server)
    await buildFolder(user, 'Photos')
    const results = await upload(user, [
      file('1.txt', { path: 'Photos/May' }),
      file('2.txt', { path: '/Photos//May/' }),
      file('3.txt', { path: 'New' }),
      file('4.txt', { path: '' }),
    ])
    expect(outcomes(results)).toEqual(['/Photos/May/1.txt', '/Photos/May/2.txt', '/New/3.txt', '/4.txt'])
  })

  test('refuses each wrong file by itself, with the code of a single upload', async () => {
    const user = await buildUser(server)
    await buildFile(user, { name: 'taken.txt' })
    await buildFile(user, { name: 'there.txt' }, 'old')
    const sha256 = createHash('sha256').update('right').digest('hex')
    const before = await readHoldings(server)
    const results = await upload(user, [
      file('good.txt'),
      file('taken.txt', { on_conflict: 'fail' }),
      file('a/b.txt'),
      file('odd.txt', { nonsense: 1 }),
      file('c.txt', { path: 'taken.txt' }),
      file('d.txt', { path: '../up' }),
      file('there.txt', { on_conflict: 'replace' }, 'new'),
      file('wrong.txt', { sha256 }, Buffer.alloc(100_000, 'wrong')),
      file('right.txt', { sha256: sha256.toUpperCase() }, 'right'),
    ])
    expect(outcomes(results)).toEqual([
      '/good.txt',
      'name_taken',
      'invalid_input',
      'invalid_input',
      'name_taken',
      'invalid_input',
      '/there.txt',
      'invalid_input',
      '/right.txt',
    ])
    expect((await readHoldings(server)).files).toBe(before.files + 2)
    await expect.poll(async () => (await readHoldings(server)).keys).toEqual(before.keys)
  })

  test.each([
    ['is larger than the limit', 'file_too_large'],
    ['exceeds the quota', 'quota_exceeded'],
  ])('refuses in its middle a file that %s, and stores those after it', async (_what, error) => {
    const limited = await startServer({ maxFileSize: error === 'file_too_large' ? '300KB' : '32MB' })
    try {
      const user = await buildUser(limited, { storageQuota: error === 'quota_exceeded' ? 300_000 : 10_000_000 })
      const large = () => file('large.bin', {}, Buffer.alloc(1_000_000, 'x'))
      const results = await upload(user, [file('a.txt'), large(), file('b.txt'), large(), large(), file('c.txt')])
      expect(outcomes(results)).toEqual(['/a.txt', error, '/b.txt', error, error, '/c.txt'])
      const together = Array.from({ length: 5 }, () => upload(user, [large(), large(), large(), large()]))
      expect((await Promise.all(together)).flat().every(result => !result.ok && result.error === error)).toBe(true)
    } finally {
      await limited.close()
    }
  })

  test('says of each refused file which field is wrong, as a single upload does', async () => {
    const user = await buildUser(server)
    const field = await buildField(admin, { field_type: 'number' })
    await buildFile(user, { name: 'taken.txt' })
    const results = await upload(user, [
      file('taken.txt', { on_conflict: 'fail' }),
      file('new.txt', { path: 'taken.txt' }),
      file('year.txt', { metadata: [{ field_id: field.id, value: 'no number' }] }),
    ])
    expect(results.map(result => (result.ok ? [] : Object.keys(result.fields ?? {})))).toEqual([
      ['name'],
      ['path'],
      [field.name],
    ])
  })

  test('says when to send a file again that exceeds the changes of a day', async context => {
    onlyOneServer('counts', context)
    const user = await buildUser(server)
    await server.deps.changes.count(user.id, maxChangesPerDay - 1)
    const [first, second] = await upload(user, many(2))
    expect(first?.ok).toBe(true)
    expect(second).toMatchObject({ ok: false, error: 'rate_limited', retry_after: expect.any(Number) })
  })

  test('fills a quota to the last byte, refuses the rest, and counts exactly', async () => {
    const user = await buildUser(server, { storageQuota: 100 })
    const results = await upload(
      user,
      Array.from({ length: 12 }, (_, index) => file(`${index}.txt`, {}, '0123456789')),
    )
    expect(outcomes(results).filter(outcome => outcome === 'quota_exceeded')).toHaveLength(2)
    const space = await server.deps.db.row('SELECT storage_used, item_count FROM spaces WHERE owner_id = $1', [user.id])
    expect(space).toEqual({ storage_used: 100, item_count: 10 })
    // Nothing of the request counts as under way any more.
    await server.deps.db.touch(() =>
      server.deps.db.change('UPDATE spaces SET storage_quota = 150 WHERE owner_id = $1', [user.id]),
    )
    expect(outcomes(await upload(user, [file('last.txt', {}, Buffer.alloc(50))]))).toEqual(['/last.txt'])
  })

  test('of a user whose uploads wait for approval leaves each file pending', async () => {
    await turnSettings(admin, { validation_enabled: true })
    const user = await buildUser(server)
    const results = await upload(user, many(3))
    await turnSettings(admin, { validation_enabled: false })
    expect(results.map(result => result.ok && result.file.validation_status)).toEqual(['pending', 'pending', 'pending'])
  })
})

describe('a request that is refused as a whole stores nothing', () => {
  const expectNothing = async (user: BuiltUser, parts: readonly Part[], status: number, error: string) => {
    const { keys: before } = await readHoldings(server)
    expect(await failure(await send(user, parts))).toMatchObject({ status, error })
    expect(await total(user)).toBe(0)
    // Those of an earlier request may go only now.
    const added = async () => (await readHoldings(server)).keys.filter(key => !before.includes(key))
    await expect.poll(added).toEqual([])
  }
  const large = () => file('large.bin', {}, Buffer.alloc(200_000, 'x'))

  test.each([
    ['without a file', [{ name: 'parent_id', value: '' }]],
    ['with a file without a description', [{ name: 'file', value: 'x', fileName: 'x' }]],
    ['with two descriptions in a row', [{ name: 'item', value: '{"name":"a"}' }, ...partsOf([file('b')])]],
    ['with a description at its end', [...partsOf([large()]), { name: 'item', value: '{"name":"a"}' }]],
    ['with a folder after its first file', [...partsOf([large()]), { name: 'parent_id', value: '' }]],
    ['with an unknown field', [{ name: 'nonsense', value: '1' }, ...partsOf([large()])]],
    ['with a file in another part', [...partsOf([large()]), { name: 'picture', value: 'x', fileName: 'x' }]],
    ['with one file too many', partsOf([...many(maxUploadManyFiles), large()])],
  ] as [string, Part[]][])('%s', async (_what, parts) => {
    await expectNothing(await buildUser(server), parts, 400, 'invalid_input')
  })

  test('for a folder that is not there, or of another user', async () => {
    const other = await buildFolder(await buildUser(server))
    const parts = [{ name: 'parent_id', value: String(other.id) }, ...partsOf([large()])]
    await expectNothing(await buildUser(server), parts, 404, 'not_found')
  })

  test('beyond the most bytes of one request', async () => {
    const half = Buffer.alloc(maxUploadManyBytes / 2, 'x')
    const parts = partsOf([file('a', {}, half), file('b', {}, half)])
    await expectNothing(await buildUser(server), parts, 413, 'body_too_large')
  })

  test('when it breaks off in the middle', async () => {
    const user = await buildUser(server)
    const before = await readHoldings(server)
    const head = openParts(partsOf([large(), file('small.txt')]))
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
    const headers = { ...user.headers, host: new URL(server.url).host, 'content-type': multipartType }
    const lines = Object.entries({ ...headers, 'content-length': 1_000_000 }).map(
      ([name, value]) => `${name}: ${value}`,
    )
    socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    socket.write(Buffer.concat([head, openParts([]), fileStart('third.bin')]))
    const hasBytes = async () => (await readHoldings(server)).keys.length > before.keys.length
    await expect.poll(hasBytes).toBe(true)
    socket.destroy()
    await expect.poll(async () => (await readHoldings(server)).keys).toEqual(before.keys)
    expect(await total(user)).toBe(0)
  })
})

test('a key that may not make folders uploads into those that exist', async () => {
  const user = await buildUser(server)
  await buildFolder(user, 'There')
  const key = await buildKey(server, user, ['files:upload'])
  const results = await upload(key, [
    file('a.txt', { path: 'There' }),
    file('b.txt', { path: 'Missing' }),
    file('c.txt'),
  ])
  expect(outcomes(results)).toEqual(['/There/a.txt', 'forbidden', '/c.txt'])
})

test('the figures count each stored file', async context => {
  onlyOneServer('counts', context)
  const uploads = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text()
    return Number(/^filestore_uploads_total (\d+)$/m.exec(text)?.[1])
  }
  const before = await uploads()
  await upload(await buildUser(server), [...many(3), file('a/b')])
  await expect.poll(uploads).toBe(before + 3)
})
