/** Searches with random texts and filters find, over all pages, what a simple reference finds in the same items. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '../../src/api/endpoint.ts'
import type { ValidationStatus } from '../../src/api/items.ts'
import { searchFiles } from '../../src/api/search.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { fold } from '../../src/db/fold.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag, buildUser } from '../support/factories.ts'
import { rounds, seed } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

interface Item {
  id: number
  name: string
  isFolder: boolean
  type: string
  size: number
  time: number
  status: ValidationStatus
  isTagged: boolean
}

const types = { png: 'image/png', jpg: 'image/jpeg', txt: 'text/plain', pdf: 'application/pdf' }
const extensions = Object.keys(types) as (keyof typeof types)[]
const statuses = ['approved', 'pending', 'rejected'] as const
const firstDay = Date.parse('2024-02-28')
const hour = 60 * 60 * 1000
const itemCount = 30

/** Items that differ in every filtered property, each property with a period of its own. */
async function buildItems(user: BuiltUser): Promise<Item[]> {
  const { db } = server.deps
  const items: Item[] = []
  for (let index = 0; index < itemCount; index++) {
    const extension = extensions[index % 4] ?? 'txt'
    const isFolder = index % 7 === 6
    const name = `${['plan', 'PLÄN', 'Plan 100%'][index % 3]} ${index}_${['a', 'ß'][index % 2]}.${extension}`
    const size = isFolder ? 0 : (index % 5) + 1
    const { id } = isFolder ? await buildFolder(user, name) : await buildFile(user, { name }, 'x'.repeat(size))
    const status = isFolder ? 'approved' : (statuses[index % 3] ?? 'approved')
    const time = firstDay + (index % 11) * 6 * hour
    await db.touch(() =>
      db.change('UPDATE files SET updated_at = $1, validation_status = $2 WHERE id = $3', [time, status, id]),
    )
    items.push({
      id,
      name,
      isFolder,
      type: types[extension],
      size,
      time,
      status,
      isTagged: index % 4 === 0 && !isFolder,
    })
  }
  return items
}

type Search = InputOf<typeof searchFiles>

/** The first day of the items, or one of the four days after it. */
const dayAt = (index: number): string => new Date(firstDay + index * 24 * hour).toISOString().slice(0, 10)

const day = fc.nat(4).map(dayAt)
const searches = fc.record(
  {
    q: fc.constantFrom('plan', 'PLAN', 'plän', '100%', '_a.', '_SS.', 'p.n', '.txt', '1_a', '%_%'),
    mime_type: fc.constantFrom('image/', 'image/png', 'text/', 'application/pdf', 'audio/'),
    min_size: fc.nat(6),
    max_size: fc.nat(6),
    date_from: day,
    date_to: day,
    status: fc.constantFrom(...statuses),
    isTagged: fc.constant(true),
    limit: fc.integer({ min: 2, max: 9 }),
  },
  { requiredKeys: ['q', 'limit'] },
)

const ofFile: (keyof Search)[] = ['mime_type', 'min_size', 'max_size', 'status']

function fits(item: Item, search: Partial<Search> & { isTagged?: boolean | undefined }): boolean {
  const { q = '', mime_type, min_size = 0, max_size = Infinity, date_from, date_to, status, isTagged } = search
  const date = new Date(item.time).toISOString().slice(0, 10)
  return (
    fold(item.name).includes(fold(q)) &&
    !(item.isFolder && ofFile.some(filter => search[filter] !== undefined)) &&
    (mime_type === undefined ||
      item.type === mime_type ||
      (mime_type.endsWith('/') && item.type.startsWith(mime_type))) &&
    Number(min_size) <= item.size &&
    item.size <= Number(max_size) &&
    (date_from === undefined || date >= date_from) &&
    (date_to === undefined || date <= date_to) &&
    (status === undefined || item.status === status) &&
    (isTagged === undefined || item.isTagged)
  )
}

/** The ids of all pages, in order. */
async function readPages(user: BuiltUser, search: Search): Promise<number[]> {
  const ids: number[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await user.call(searchFiles, { ...search, ...(cursor !== undefined && { cursor }) })
    expect(page.files.length).toBeLessThanOrEqual(Number(search.limit))
    ids.push(...page.files.map(({ id }) => id))
    cursor = page.next_cursor
  }
  return ids
}

test('any search finds, over all its pages, what a simple reference finds', async () => {
  const [user, stranger] = [await buildUser(server), await buildUser(server)]
  const items = await buildItems(user)
  await buildItems(stranger)
  const tag = await buildTag(user)
  await user.call(tagFiles, { tag_id: tag.id, file_ids: items.filter(item => item.isTagged).map(({ id }) => id) })
  // One item in ten is in the trash, which a search leaves out.
  const trashed = items.filter((_, index) => index % 10 === 9)
  for (const { id } of trashed) await user.call(trashFile, { id })
  const live = items.filter(item => !trashed.includes(item))
  const property = fc.asyncProperty(searches, async ({ isTagged, ...search }) => {
    const expected = live.filter(item => fits(item, { ...search, isTagged })).map(({ id }) => id)
    const found = await readPages(user, { ...search, ...(isTagged && { tag_id: tag.id }) })
    expect(found).toEqual(expected.sort((a, b) => b - a))
  })
  await fc.assert(property, { seed, numRuns: rounds(60, 300) })
})
