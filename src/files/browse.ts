/** Lists a folder page by page: folders first, then files, each read from one range of an index. */
import { createHash } from 'node:crypto'
import type { Actor } from '../access/actor.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { listFiles as endpoint, SortKey, SortOrder } from '../api/files.ts'
import type { FolderListing } from '../api/items.ts'
import { wholeListSize } from '../api/limits.ts'
import { type CursorValue, decodeCursor, encodeCursor, lastShown } from '../db/cursor.ts'
import type { Database } from '../db/database.ts'
import { afterCondition, createBinds, orderBy } from '../db/keyset.ts'
import { version } from '../version.ts'
import type { Place } from './find.ts'
import { type ItemRow, itemShape } from './item-row.ts'
import { findAncestors } from './paths.ts'
import { presentItem, presentItems } from './present.ts'
import { findTotals, findWithFolders } from './totals.ts'

type ListInput = ParsedInputOf<typeof endpoint>

type Part = 'folders' | 'files'
type SortColumn = 'sort_key' | 'updated_at' | 'size' | 'mime_type' | 'id'

/** The columns of each sort order; folders have neither size nor type and are then sorted by name. */
const sortColumns: Record<SortKey, Record<Part, readonly SortColumn[]>> = {
  name: { folders: ['sort_key', 'id'], files: ['sort_key', 'id'] },
  date: { folders: ['updated_at', 'sort_key', 'id'], files: ['updated_at', 'sort_key', 'id'] },
  size: { folders: ['sort_key', 'id'], files: ['size', 'sort_key', 'id'] },
  type: { folders: ['sort_key', 'id'], files: ['mime_type', 'sort_key', 'id'] },
}

const formOf = (columns: readonly SortColumn[]): ('string' | 'number')[] =>
  columns.map(column => (column === 'sort_key' || column === 'mime_type' ? 'string' : 'number'))

interface Page {
  spaceId: number
  parentId: number | null
  sort: SortKey
  order: SortOrder
}

function findPart(
  db: Database,
  page: Page,
  part: Part,
  after: CursorValue[] | null,
  count: number,
): Promise<ItemRow[]> {
  const columns = sortColumns[page.sort][part].map(column => `f.${column}`)
  const binds = createBinds(page.spaceId, page.parentId ?? 0)
  const rest = after === null ? '' : `AND ${afterCondition(columns, after, page.order, binds.add)}`
  return db.page(
    itemShape,
    `FROM files f
     WHERE f.space_id = $1 AND f.live_parent = $2 AND f.is_directory = ${part === 'folders' ? 1 : 0} ${rest}
     ORDER BY ${orderBy(columns, page.order)} LIMIT ${count}`,
    binds.values,
  )
}

/** The name that ties a cursor to its list; another folder, sort, order or part gives another name. */
const listName = (page: Page, input: ListInput, part: Part): string =>
  [page.parentId ?? 0, page.sort, page.order, input.only ?? '', part].join(' ')

/** The part in which a cursor continues, and the position after which it does. */
function readCursor(page: Page, input: ListInput): { part: Part; after: CursorValue[] | null } {
  if (input.cursor === undefined) return { part: input.only ?? 'folders', after: null }
  const parts: readonly Part[] = input.only === undefined ? ['folders', 'files'] : [input.only]
  const lists = parts.map(part => ({ name: listName(page, input, part), form: formOf(sortColumns[page.sort][part]) }))
  const { list, after } = decodeCursor(input.cursor, lists)
  return { part: parts[list] ?? 'files', after }
}

/** The first rows after the cursor. */
async function findRows(db: Database, page: Page, input: ListInput, count: number): Promise<ItemRow[]> {
  const { part, after } = readCursor(page, input)
  const rows = await findPart(db, page, part, after, count)
  if (part === 'folders' && input.only === undefined && rows.length < count) {
    rows.push(...(await findPart(db, page, 'files', null, count - rows.length)))
  }
  return rows
}

function cursorAfter(page: Page, input: ListInput, row: ItemRow): string {
  const part: Part = row.is_directory === 1 ? 'folders' : 'files'
  const values = sortColumns[page.sort][part].map(column => row[column] ?? '')
  return encodeCursor(listName(page, input, part), values)
}

/** One page of a folder that the actor may see. */
export async function listFiles(
  db: Database,
  actor: Actor,
  { spaceId, folder }: Place,
  input: ListInput,
): Promise<FolderListing> {
  const parentId = folder?.id ?? null
  const page: Page = { spaceId, parentId, sort: input.sort, order: input.order }
  const count = input.limit ?? wholeListSize
  const [breadcrumbs, rows, counts] = await Promise.all([
    folder === null ? [] : findAncestors(db, folder.id),
    findRows(db, page, input, count + 1),
    findTotals(db, spaceId, parentId),
  ])
  const path = breadcrumbs.at(-1)?.path ?? ''
  const items = await presentItems(db, actor, rows.slice(0, count), new Map([[parentId, path]]))
  const last = lastShown(rows, items.length)
  const folders = items.filter(item => item.is_directory)
  const ids = folders.map(item => item.id)
  return {
    files: items.filter(item => !item.is_directory),
    folders,
    total: input.only === undefined ? counts.folders + counts.files : counts[input.only],
    total_folders: counts.folders,
    path: path === '' ? '/' : path,
    breadcrumbs,
    folder: folder === null ? null : presentItem(actor, folder, breadcrumbs.at(-2)?.path ?? ''),
    next_cursor: last === null ? null : cursorAfter(page, input, last),
    ...(input.only === 'folders' ? { with_folders: await findWithFolders(db, spaceId, ids) } : {}),
  }
}

/** A weak ETag of a listing; it changes with every change in the space. */
export function listingEtag(spaceId: number, revision: number, input: ListInput): string {
  const hash = createHash('sha256').update(JSON.stringify([version, spaceId, revision, input]))
  return `W/"${hash.digest('base64url').slice(0, 27)}"`
}
