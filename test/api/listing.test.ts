/** Listing a folder: what the answer says about the folder, and that each sort order is the same across all pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles, type SortKey, type SortOrder } from '../../src/api/files.ts'
import type { FileItem, FolderListing } from '../../src/api/items.ts'
import { wholeListSize } from '../../src/api/limits.ts'
import { trashFile } from '../../src/api/trash.ts'
import { nameColumns } from '../../src/files/item-name.ts'
import { failure } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
let mixed: number
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
  mixed = (await buildFolder(user, 'mixed')).id
  await fillMixed()
})
afterAll(() => server.close())

const stems = [
  'Report',
  'report',
  'Übung',
  'zebra',
  'Ωmega',
  'αlpha',
  'naïve',
  '_draft',
  '(copy)',
  'a-b',
  'a b',
  'É',
  '10',
  '9',
  '09',
]
const endings = ['', ' 2', ' 10', ' 1', '.txt', '.PDF', '.png', '.tar.gz', '-final', ' (1).md', '_1', '!']

/** 270 folders and files whose names test the order: case, accents, numbers, punctuation, Greek. */
async function fillMixed(): Promise<void> {
  const names = stems.flatMap(stem => endings.map(ending => `${stem}${ending}`))
  const files = names.map((name, index) => () => buildFile(user, { name, parent_id: mixed }, 'x'.repeat(index % 7)))
  const folders = names.filter((_, index) => index % 2 === 0).map(name => () => buildFolder(user, `${name} `, mixed))
  const work = [...files, ...folders].sort((a, b) => String(a).length - String(b).length)
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let make = work.shift(); make !== undefined; make = work.shift()) await make()
    }),
  )
}

const { compare } = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const byName = (a: FileItem, b: FileItem): number => compare(a.name, b.name)
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const keys: Record<SortKey, (a: FileItem, b: FileItem) => number> = {
  name: () => 0,
  date: (a, b) => byText(a.updated_at, b.updated_at),
  size: (a, b) => a.size - b.size,
  type: (a, b) => byText(a.mime_type ?? '', b.mime_type ?? ''),
}

function inOrder(items: readonly FileItem[], sort: SortKey, order: SortOrder): number[] {
  const sign = order === 'asc' ? 1 : -1
  const sorted = [...items].sort((a, b) => sign * (keys[sort](a, b) || byName(a, b) || a.id - b.id))
  return sorted.map(({ id }) => id)
}

/** Every entry of a listing, read page by page, and the pages. */
async function readPages(query: Record<string, string>, limit: number) {
  const folders: FileItem[] = []
  const files: FileItem[] = []
  const pages: FolderListing[] = []
  let cursor: string | null = null
  do {
    const search = new URLSearchParams({ ...query, limit: String(limit), ...(cursor === null ? {} : { cursor }) })
    const response = await user.raw(`/api/files?${search}`)
    const { data }: { data: FolderListing } = await response.json()
    pages.push(data)
    folders.push(...data.folders)
    files.push(...data.files)
    cursor = data.next_cursor
  } while (cursor !== null)
  return { folders, files, pages }
}

describe('the order of a listing', () => {
  test('is by name, ascending, by default', async () => {
    const plain = await user.call(listFiles, { parent_id: mixed })
    const named = await user.call(listFiles, { parent_id: mixed, sort: 'name', order: 'asc' })
    expect(plain).toEqual(named)
  })

  const orders = (['name', 'date', 'size', 'type'] as const).flatMap(sort =>
    (['asc', 'desc'] as const).map(order => [sort, order] as const),
  )
  test.each(orders)(
    'by %s, %s, is the same in one piece and in pages of any size, folders first',
    async (sort, order) => {
      const whole = await user.call(listFiles, { parent_id: mixed, sort, order })
      expect(whole.files).toHaveLength(180)
      expect(whole.folders).toHaveLength(90)
      // Folders have neither size nor type, so those orders sort them by name.
      const folderSort = sort === 'date' ? 'date' : 'name'
      expect(whole.folders.map(({ id }) => id)).toEqual(inOrder(whole.folders, folderSort, order))
      expect(whole.files.map(({ id }) => id)).toEqual(inOrder(whole.files, sort, order))
      for (const limit of [7, 45, 90, 91, 269, 270, 1000]) {
        const { folders, files, pages } = await readPages({ parent_id: String(mixed), sort, order }, limit)
        expect(folders).toEqual(whole.folders)
        expect(files).toEqual(whole.files)
        expect(pages).toHaveLength(Math.ceil(270 / limit))
      }
    },
  )

  test('sorts numbers by value, and ignores case and accents', async () => {
    const parent = (await buildFolder(user)).id
    for (const name of ['file 10', 'File 9', 'file 009b', 'éclair', 'Eclair 2', 'zoo', '_top']) {
      await buildFile(user, { name, parent_id: parent })
    }
    const { files } = await user.call(listFiles, { parent_id: parent })
    expect(files.map(({ name }) => name)).toEqual([
      '_top',
      'éclair',
      'Eclair 2',
      'File 9',
      'file 009b',
      'file 10',
      'zoo',
    ])
  })
})

describe('a listing', () => {
  test('can show only folders or only files, and counts what it shows', async () => {
    const all = await user.call(listFiles, { parent_id: mixed })
    const folders = await user.call(listFiles, { parent_id: mixed, only: 'folders' })
    const files = await user.call(listFiles, { parent_id: mixed, only: 'files' })
    expect(all).toMatchObject({ total: 270, total_folders: 90, next_cursor: null })
    expect(folders).toMatchObject({ total: 90, total_folders: 90, files: [], folders: all.folders })
    expect(files).toMatchObject({ total: 180, total_folders: 90, folders: [], files: all.files })
  })

  test('of folders only says which of them contain live folders', async () => {
    const owner = await buildUser(server)
    const [outer, files, gone] = await Promise.all(['outer', 'files', 'gone'].map(name => buildFolder(owner, name)))
    await buildFolder(owner, 'inner', outer?.id)
    await buildFile(owner, { parent_id: files?.id })
    const trashed = await buildFolder(owner, 'inner', gone?.id)
    await owner.call(trashFile, { id: trashed.id })
    expect((await owner.call(listFiles, { only: 'folders' })).with_folders).toEqual([outer?.id])
    expect(await owner.call(listFiles, {})).not.toHaveProperty('with_folders')
  })

  test.each(['folders', 'files'] as const)('of %s only comes in pages', async only => {
    const whole = await user.call(listFiles, { parent_id: mixed, only, sort: 'size', order: 'desc' })
    const read = await readPages({ parent_id: String(mixed), only, sort: 'size', order: 'desc' }, 31)
    expect({ folders: read.folders, files: read.files }).toEqual({ folders: whole.folders, files: whole.files })
    for (const page of read.pages) expect(page.total).toBe(whole.total)
  })

  test('has the total of all entries on every page', async () => {
    const { pages } = await readPages({ parent_id: String(mixed) }, 100)
    for (const page of pages) expect(page).toMatchObject({ total: 270, total_folders: 90 })
  })

  test('shows the folder and its breadcrumbs', async () => {
    const outer = await buildFolder(user, 'outer')
    const inner = await buildFolder(user, 'inner', outer.id)
    const file = await buildFile(user, { name: 'a.txt', parent_id: inner.id })
    const listing = await user.call(listFiles, { parent_id: inner.id })
    expect(listing).toMatchObject({
      path: '/outer/inner',
      breadcrumbs: [
        { id: outer.id, name: 'outer', path: '/outer' },
        { id: inner.id, name: 'inner', path: '/outer/inner' },
      ],
      folder: { id: inner.id, name: 'inner', path: '/outer/inner', parent_id: outer.id },
      files: [{ id: file.id, path: '/outer/inner/a.txt', logical_path: '/outer/inner/a.txt' }],
    })
  })

  test('is empty for an empty root', async () => {
    const newcomer = await buildUser(server)
    expect(await newcomer.call(listFiles, {})).toEqual({
      files: [],
      folders: [],
      total: 0,
      total_folders: 0,
      held: 0,
      may: { see: true, add: true, change: true, organise: true, trash: true, share: true },
      path: '/',
      breadcrumbs: [],
      folder: null,
      next_cursor: null,
    })
  })

  test('without a limit ends after 10,000 entries with a cursor', async () => {
    const owner = await buildUser(server)
    const { db } = server.deps
    const space = await db.row<{ id: number }>('SELECT id FROM spaces WHERE owner_id = $1', [owner.id])
    const rows = Array.from({ length: wholeListSize + 1 }, (_, index) => ({
      space_id: space?.id ?? 0,
      owner_id: owner.id,
      parent_id: null,
      ...nameColumns(`f ${index}`, true),
      is_directory: 1 as const,
      size: 0,
      modified_at: null,
      created_at: index,
      updated_at: index,
    }))
    await db.touch(() => db.insertAll(db.files, rows))
    const first = await owner.call(listFiles, {})
    expect(first.folders).toHaveLength(wholeListSize)
    expect(first).toMatchObject({ total: wholeListSize + 1, total_folders: wholeListSize + 1 })
    const rest = await owner.call(listFiles, { cursor: first.next_cursor ?? '' })
    expect(rest.folders.map(({ name }) => name)).toEqual([`f ${wholeListSize}`])
    expect(rest.next_cursor).toBeNull()
  })
})

describe('a cursor', () => {
  const page = (query: string) => user.raw(`/api/files?parent_id=${mixed}&limit=10&${query}`)
  const cursorOf = async (query: string): Promise<string> => (await (await page(query)).json()).data.next_cursor

  test('is refused for another sort, order, folder or part', async () => {
    const cursor = await cursorOf('sort=name&order=asc')
    const refused = { status: 400, error: 'invalid_input', fields: { cursor: expect.any(String) } }
    expect((await page(`cursor=${cursor}`)).status).toBe(200)
    for (const query of ['sort=date', 'sort=size', 'sort=type', 'order=desc', 'only=folders', 'only=files']) {
      expect({ query, ...(await failure(await page(`${query}&cursor=${cursor}`))) }).toEqual({ query, ...refused })
    }
    expect(await failure(await user.raw(`/api/files?limit=10&cursor=${cursor}`))).toEqual(refused)
    expect(await failure(await user.raw(`/api/files/trash?cursor=${cursor}`))).toEqual(refused)
  })

  test.each([
    '%00',
    'null',
    '..%2f..%2f',
    Buffer.from('{}').toString('base64url'),
    Buffer.from('null').toString('base64url'),
    Buffer.from('{"list":"0 name asc  folders","after":["a"]}').toString('base64url'),
    Buffer.from('{"list":"0 name asc  folders","after":[1,"a"]}').toString('base64url'),
    Buffer.from('{"list":"0 name asc  folders","after":["a",1e99]}').toString('base64url'),
    'x'.repeat(5000),
  ])('that the server did not create is refused: %s', async cursor => {
    const response = await user.raw(`/api/files?limit=10&cursor=${cursor}`)
    expect(await failure(response)).toEqual({
      status: 400,
      error: 'invalid_input',
      fields: { cursor: expect.any(String) },
    })
  })

  test('continues at the same place after entries were added and trashed', async () => {
    const parent = (await buildFolder(user)).id
    for (const name of ['b', 'd', 'f', 'h']) await buildFile(user, { name, parent_id: parent })
    const first = await user.call(listFiles, { parent_id: parent, limit: 2 })
    await user.raw(`/api/files/${first.files[1]?.id}/trash`, { method: 'PUT' })
    for (const name of ['a', 'e']) await buildFile(user, { name, parent_id: parent })
    const rest = await user.call(listFiles, { parent_id: parent, limit: 100, cursor: first.next_cursor ?? '' })
    expect(rest.files.map(({ name }) => name)).toEqual(['e', 'f', 'h'])
  })
})
