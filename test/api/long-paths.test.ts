/** Lists of items with the longest possible paths: their pages end early, and no item is missing. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { favoriteFile, listFavorites, listFiles } from '../../src/api/files.ts'
import type { FileItem, FolderListing, ItemList } from '../../src/api/items.ts'
import { maxPageBytes } from '../../src/api/limits.ts'
import { searchFiles } from '../../src/api/search.ts'
import { listTrash } from '../../src/api/trash.ts'
import { listPending } from '../../src/api/validation.ts'
import { plantEntries } from '../bench/plant.ts'
import { type BuiltUser, buildFile, buildFolder, buildReviewer, buildUser } from '../support/factories.ts'
import { onlyOneServer } from '../support/only-on.ts'
import { readPages } from '../support/pages.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

/** JSON escapes each of its characters, so each takes two bytes. */
const longName = '"'.repeat(255)
const count = 200

let server: TestServer
let user: BuiltUser
let deepest: number
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  let parentId: number | null = null
  for (let depth = 0; depth < 99; depth++) parentId = (await buildFolder(user, longName, parentId)).id
  deepest = parentId ?? 0
  await plant(server, user, (db, owner) => plantEntries(db, owner, deepest, count, index => `leaf ${index}`))
})
afterAll(() => server.close())

const update = (assignment: string) => {
  const { db } = server.deps
  return db.touch(() => db.change(`UPDATE files SET ${assignment} WHERE parent_id = $1`, [deepest]))
}

const idsOf = (items: readonly FileItem[]) => items.map(({ id }) => id)

/** Expects several pages that hold every planted item once. */
function expectWhole({ entries, sizes }: { entries: FileItem[]; sizes: number[] }): void {
  expect(new Set(idsOf(entries)).size).toBe(count)
  expect(entries).toHaveLength(count)
  expect(entries.every(({ path, name }) => path === `${`/${longName}`.repeat(99)}/${name}`)).toBe(true)
  expect(sizes.length).toBeGreaterThan(1)
}

/** Bytes of the paths in the breadcrumbs of a listing: of one step, of two, and so on to 99. */
const breadcrumbBytes = ((99 * 100) / 2) * (2 * 255 + 1)
/** The folder itself has its path and name in the answer too. */
const maxAnswer = maxPageBytes + breadcrumbBytes + 0.2 * 1024 ** 2

async function read<Data>(path: string): Promise<Data> {
  const response = await user.raw(`/api${path}`)
  const text = await response.text()
  expect(response.status).toBe(200)
  expect(text.length).toBeLessThan(maxAnswer)
  return JSON.parse(text).data
}

const pagesOf = (path: string) =>
  readPages(async cursor => {
    const query = cursor === undefined ? '' : `${path.includes('?') ? '&' : '?'}${new URLSearchParams({ cursor })}`
    const page = await read<Partial<FolderListing> & ItemList>(`${path}${query}`)
    return { entries: [...(page.folders ?? []), ...page.files], next_cursor: page.next_cursor }
  })

describe('a page of long paths ends early, and its cursor leads to the next', () => {
  test.each(['', '&sort=size&order=desc&limit=1000'])('in a folder%s', async query => {
    const pages = await pagesOf(`${listFiles.path}?parent_id=${deepest}${query}`)
    expectWhole(pages)
    const firstFile = pages.entries.findIndex(item => !item.is_directory)
    expect(pages.entries.slice(firstFile).some(item => item.is_directory)).toBe(false)
  })

  test('in a search', async () => {
    const pages = await pagesOf(`${searchFiles.path}?q=leaf`)
    expectWhole(pages)
    expect(idsOf(pages.entries)).toEqual(idsOf(pages.entries).toSorted((a, b) => b - a))
  })

  test('in the favorites', async () => {
    await update('is_favorite = 1')
    expectWhole(await pagesOf(listFavorites.path))
  })

  test('in the trash', async () => {
    await update('deleted_at = 1, trash_root_id = id')
    expectWhole(await pagesOf(listTrash.path))
    await update('deleted_at = NULL, trash_root_id = NULL')
  })
})

test('each folder above the items of a page is read once, however many of them share it', async context => {
  onlyOneServer('process', context)
  const owner = await buildUser(server)
  let parentId: number | null = null
  for (let depth = 0; depth < 50; depth++) parentId = (await buildFolder(owner, 'up', parentId)).id
  for (let index = 0; index < 40; index++) {
    const folder = await buildFolder(owner, `folder ${index}`, parentId)
    await owner.call(favoriteFile, { id: (await buildFile(owner, { parent_id: folder.id })).id, is_favorite: true })
  }
  const { db } = server.deps
  const readRows = vi.spyOn(db, 'rows')
  expect((await owner.call(listFavorites, {})).files).toHaveLength(40)
  const answers = await Promise.all(readRows.mock.results.map(({ value }) => value as Promise<unknown[]>))
  readRows.mockRestore()
  const steps = answers.flat().filter(row => JSON.stringify(row).includes('"up"'))
  expect(steps).toHaveLength(50)
})

test('the review queue shows the oldest files of long paths, as many as fit into one page', async () => {
  await update("validation_status = 'pending'")
  const reviewer = await buildReviewer(server)
  const pending = await reviewer.call(listPending, {})
  expect(pending.length).toBeGreaterThan(25)
  expect(pending.length).toBeLessThan(count * 0.9)
  expect(idsOf(pending)).toEqual(idsOf(pending).toSorted((a, b) => a - b))
  expect(JSON.stringify(pending).length).toBeLessThan(maxAnswer)
})
