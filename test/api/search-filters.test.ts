/** The filters of a search, alone and combined, and its order, pages and totals. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { InputOf } from '../../src/api/endpoint.ts'
import { setFileMetadata } from '../../src/api/files.ts'
import { searchFiles } from '../../src/api/search.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import type { FileRow } from '../../src/db/models/files.ts'
import { plantEntries, plantFolder } from '../bench/plant.ts'
import { failure, signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildTag, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

type Filters = Omit<InputOf<typeof searchFiles>, 'q'>

const find = async (user: BuiltUser, filters: Filters): Promise<string[]> =>
  (await user.call(searchFiles, { q: 'plan', ...filters })).files.map(({ name }) => name)

async function setRow(id: number, column: string, value: string | number): Promise<void> {
  const { db } = server.deps
  await db.touch(() => db.change(`UPDATE files SET ${column} = $1 WHERE id = $2`, [value, id]))
}

/** The first five of six items; a search lists them in reverse order, the newest first. */
const sizes = { 'plan a.png': 10, 'plan b.jpg': 20, 'plan c.mp4': 500, 'plan d.pdf': 5, 'plan e.txt': 40 }
const days = ['2024-01-01', '2024-02-28', '2024-02-29', '2024-03-01', '2025-12-31']

async function buildPlans(user: BuiltUser): Promise<Record<string, number>> {
  const ids: Record<string, number> = {}
  for (const [index, [name, size]] of Object.entries(sizes).entries()) {
    const { id } = await buildFile(user, { name }, 'x'.repeat(size))
    ids[name] = id
    await setRow(id, 'updated_at', Date.parse(`${days[index]}T23:59:59.999Z`))
  }
  ids['plan folder'] = (await buildFolder(user, 'plan folder')).id
  await setRow(ids['plan folder'], 'updated_at', Date.parse('2024-02-29T00:00:00.000Z'))
  return ids
}

const byFilter: [Filters, letters: string][] = [
  [{}, 'folder e d c b a'],
  [{ mime_type: 'image/' }, 'b a'],
  [{ mime_type: 'image/png' }, 'a'],
  [{ mime_type: 'IMAGE/PNG' }, 'a'],
  [{ mime_type: 'image/p' }, ''],
  [{ mime_type: 'application/' }, 'd'],
  [{ min_size: 20 }, 'e c b'],
  [{ max_size: 20 }, 'd b a'],
  [{ min_size: 10, max_size: 40 }, 'e b a'],
  [{ min_size: 0 }, 'e d c b a'],
  [{ min_size: 41, max_size: 40 }, ''],
  [{ date_from: '2024-02-29' }, 'folder e d c'],
  [{ date_to: '2024-02-29' }, 'folder c b a'],
  [{ date_from: '2024-02-29', date_to: '2024-02-29' }, 'folder c'],
  [{ date_from: '2024-02-29T00:00:00.001Z', date_to: '2024-03-01T23:59:59.999Z' }, 'd c'],
  [{ date_from: '2024-03-01T01:59:59.999+02:00', date_to: '2024-03-01T01:59:59.999+02:00' }, 'c'],
  [{ date_from: '2024-03-02', date_to: '2024-03-01' }, ''],
  [{ status: 'pending' }, 'c'],
  [{ status: 'rejected' }, 'd'],
  [{ status: 'approved' }, 'e b a'],
  [{ mime_type: 'image/', min_size: 15, date_to: '2024-02-28', status: 'approved' }, 'b'],
]

describe.each([
  ['a search', 0],
  // More items than the search reads one by one, even after a filter.
  ['a search among thousands', 11_200],
])('the filters of %s', (_size, others) => {
  let user: BuiltUser
  let ids: Record<string, number>
  const id = (name: string): number => ids[name] ?? 0
  beforeAll(async () => {
    user = await buildUser(server)
    ids = await buildPlans(user)
    await setRow(id('plan c.mp4'), 'validation_status', 'pending')
    await setRow(id('plan d.pdf'), 'validation_status', 'rejected')
    await buildFile(user, { name: 'another.png' })
    await plant(server, user, async (db, owner) =>
      plantEntries(db, owner, await plantFolder(db, owner, null, 'others'), others),
    )
  })

  test.each(byFilter)('%j leave %j', async (filters, letters) => {
    const found = await find(user, filters)
    expect(found.map(name => /^plan (\w+)/.exec(name)?.[1]).join(' ')).toBe(letters)
  })

  test('by tag find the tagged files, except trashed ones', async () => {
    const tag = await buildTag(user)
    const file = await buildFile(user, { name: 'plan to trash.txt' })
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [id('plan a.png'), id('plan e.txt'), file.id] })
    expect(await find(user, { tag_id: tag.id })).toEqual(['plan to trash.txt', 'plan e.txt', 'plan a.png'])
    expect(await find(user, { tag_id: tag.id, mime_type: 'image/' })).toEqual(['plan a.png'])
    await user.call(trashFile, { id: file.id })
    expect(await find(user, { tag_id: tag.id })).toEqual(['plan e.txt', 'plan a.png'])
    expect(await find(user, { tag_id: (await buildTag(user)).id })).toEqual([])
  })

  test('are 404 for another user’s tag or an unknown one', async () => {
    const stranger = await buildUser(server)
    const foreign = await buildTag(stranger)
    for (const tag of [foreign.id, 999_999_999]) {
      const response = await user.raw(`/api/files/search?q=plan&tag_id=${tag}`)
      expect(await failure(response)).toEqual({ status: 404, error: 'not_found' })
    }
  })

  test('by metadata match a part of a text, the whole of any other type, and all given values', async () => {
    const text = await buildField(admin)
    const number = await buildField(admin, { field_type: 'number' })
    const set = (name: string, ...metadata: { field_id: number; value: string }[]) =>
      user.call(setFileMetadata, { id: id(name), metadata })
    await set('plan a.png', { field_id: text.id, value: 'Müller: 100% & Söhne' }, { field_id: number.id, value: '12' })
    await set('plan b.jpg', { field_id: text.id, value: 'Miller' }, { field_id: number.id, value: '120' })
    expect(await find(user, { meta: `${text.name}:MULLER: 100%` })).toEqual(['plan a.png'])
    expect(await find(user, { meta: `${text.name}:ller` })).toEqual(['plan b.jpg', 'plan a.png'])
    expect(await find(user, { meta: `${text.name}:\u200b` })).toEqual([])
    expect(await find(user, { meta: `${number.name}:12` })).toEqual(['plan a.png'])
    expect(await find(user, { meta: [`${text.name}:ller`, `${number.name}:120`] })).toEqual(['plan b.jpg'])
    expect(await find(user, { meta: [`${text.name}:miller`, `${number.name}:12`] })).toEqual([])
  })

  test('apply to every page, each with the total of all hits', async () => {
    const first = await user.call(searchFiles, { q: 'plan', limit: 4 })
    expect(first).toMatchObject({ total: 6, total_is_exact: true, next_cursor: expect.any(String) })
    const rest = await user.call(searchFiles, { q: 'plan', limit: 4, cursor: first.next_cursor ?? '' })
    expect(rest).toMatchObject({ total: 6, total_is_exact: true, next_cursor: null })
    const found = [...first.files, ...rest.files].map(file => file.id)
    expect(found).toEqual(Object.values(ids).sort((a, b) => b - a))
  })
})

describe('a search', () => {
  test.each([
    ['mime_type=image', 'mime_type'],
    ['mime_type=%25', 'mime_type'],
    ['min_size=-1', 'min_size'],
    ['max_size=1.5', 'max_size'],
    ['date_from=2024-02-30', 'date_from'],
    ['date_to=yesterday', 'date_to'],
    ['tag_id=0', 'tag_id'],
    ['status=live', 'status'],
    ['meta=no', 'meta'],
    ['meta=no_such_field:x', 'meta'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['Q=plan', 'Q'],
  ])('refuses %s', async (query, field) => {
    const user = await buildUser(server)
    const { status, error, fields } = await failure(await user.raw(`/api/files/search?q=plan&${query}`))
    expect({ status, error, fields: Object.keys(fields ?? {}) }).toEqual({
      status: 400,
      error: 'invalid_input',
      fields: [field],
    })
  })

  test('refuses a cursor of another text, filter or list, but accepts one of another page size', async () => {
    const user = await buildUser(server)
    for (const name of ['plan 1', 'plan 2', 'plan 3']) await buildFile(user, { name })
    const { next_cursor } = await user.call(searchFiles, { q: 'plan', limit: 1 })
    for (const query of ['q=plan 1', 'q=plan&min_size=0', 'q=plan&date_to=2100-01-01']) {
      const response = await user.raw(`/api/files/search?${query}&limit=1&cursor=${next_cursor}`)
      expect(await failure(response)).toMatchObject({ status: 400, fields: { cursor: expect.any(String) } })
    }
    const foreign = await user.raw(`/api/files?limit=1&cursor=${next_cursor}`)
    expect(await failure(foreign)).toMatchObject({ status: 400, fields: { cursor: expect.any(String) } })
    const rest = await user.call(searchFiles, { q: 'plan', limit: 10, cursor: next_cursor ?? '' })
    expect(rest.files.map(({ name }) => name)).toEqual(['plan 2', 'plan 1'])
  })

  test('counts up to 1,000 hits and then reports that there are more', async () => {
    const user = await buildUser(server)
    const { id } = await buildFile(user, { name: 'plan 0' })
    const { db } = server.deps
    const rowsTo = (count: number) =>
      db.touch(async () => {
        const held = (await db.row<{ count: number }>('SELECT COUNT(*) AS count FROM files WHERE owner_id = $1', [
          user.id,
        ])) ?? { count: 0 }
        const source = await db.row<FileRow & { live_parent: number }>('SELECT * FROM files WHERE id = $1', [id])
        if (source === undefined) throw new Error('the file to copy is not there')
        const { id: _id, live_parent: _generated, ...row } = source
        const rows = Array.from({ length: count - held.count }, (_, index) => ({
          ...row,
          name: `plan ${held.count + index}`,
          name_folded: `plan ${held.count + index}`,
        }))
        await db.insertAll(db.files, rows)
      })
    await rowsTo(1000)
    expect(await user.call(searchFiles, { q: 'plan', limit: 1 })).toMatchObject({ total: 1000, total_is_exact: true })
    await rowsTo(1001)
    const first = await user.call(searchFiles, { q: 'plan', limit: 1 })
    expect(first).toMatchObject({ total: 1000, total_is_exact: false })
    const next = await user.call(searchFiles, { q: 'plan', limit: 1, cursor: first.next_cursor ?? '' })
    expect(next).toMatchObject({ total: 1000, total_is_exact: false })
    expect((await user.call(searchFiles, { q: 'plan' })).files).toHaveLength(1001)
  })
})
