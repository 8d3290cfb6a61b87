/** Lists a folder page by page: folders first, then files, each read from one range of an index. */
import { createHash } from 'node:crypto'
import { type Caller, viewerId } from '../access/actor.ts'
import { listedRow } from '../access/policy.ts'
import { isOwn } from '../access/reach.ts'
import { type Abilities, needToReadOn, standingIn } from '../access/standing.ts'
import { confirmPlace } from '../access/transit.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { listFiles as endpoint, SortKey, SortOrder } from '../api/files.ts'
import type { Breadcrumb, FolderListing } from '../api/items.ts'
import { wholeListSize } from '../api/limits.ts'
import { type CursorValue, decodeCursor, encodeCursor } from '../db/cursor.ts'
import type { Database } from '../db/database.ts'
import { afterCondition, createBinds, indexFor, orderBy } from '../db/keyset.ts'
import { version } from '../version.ts'
import { findFolder, type Place } from './find.ts'
import { openHashes } from './hashes.ts'
import { type ItemRow, itemShape } from './item-row.ts'
import { findAncestors } from './paths.ts'
import { presentAbilities, presentItem } from './present.ts'
import { presentPage } from './present-page.ts'
import { findRevision } from './space.ts'
import { addStanding, findSurroundings } from './surroundings.ts'
import { countHandIns, findTotals, findWithFolders } from './totals.ts'

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

/** The indexes of the sort orders. */
const sortIndexes: Record<SortKey, Record<Part, string>> = {
  name: { folders: 'files_by_name', files: 'files_by_name' },
  date: { folders: 'files_by_date', files: 'files_by_date' },
  size: { folders: 'files_by_name', files: 'files_by_size' },
  type: { folders: 'files_by_name', files: 'files_by_type' },
}

const formOf = (columns: readonly SortColumn[]): ('string' | 'number')[] =>
  columns.map(column => (column === 'sort_key' || column === 'mime_type' ? 'string' : 'number'))

interface Page {
  spaceId: number
  parentId: number | null
  /** What the user may do in the folder. */
  abilities: Abilities
  userId: number
  sort: SortKey
  order: SortOrder
}

/**
 * The rows of a part that are shown. Who sees the own hand-ins alone gets them without the space, with which the
 * database would read the whole folder; then the time would tell how many others have handed in.
 */
function partCondition({ spaceId, abilities, userId }: Page, part: Part, add: (value: number) => string): string {
  if (!abilities.see) return part === 'folders' ? '1 = 0' : listedRow(abilities, add(userId))
  const rows = `f.space_id = ${add(spaceId)} AND f.is_directory = ${part === 'folders' ? 1 : 0}`
  return part === 'folders' ? rows : `${rows} AND ${listedRow(abilities, add(userId))}`
}

function findPart(
  db: Database,
  page: Page,
  part: Part,
  after: CursorValue[] | null,
  count: number,
): Promise<ItemRow[]> {
  const columns = sortColumns[page.sort][part].map(column => `f.${column}`)
  const binds = createBinds(page.parentId ?? 0)
  const rest = after === null ? '' : `AND ${afterCondition(columns, after, page.order, binds.add)}`
  const index = page.abilities.see ? indexFor(db.dialect, sortIndexes[page.sort][part], after !== null) : ''
  return db.page(
    itemShape,
    `FROM files f ${index}
     WHERE f.live_parent = $1 AND ${partCondition(page, part, binds.add)} ${rest}
     ORDER BY ${orderBy(columns, page.order)} LIMIT ${count}`,
    binds.values,
  )
}

/** The name that ties a cursor to its list; another folder, sort, order or part gives another name. */
const listName = (page: Page, input: ListInput, part: Part): string =>
  [page.parentId ?? 0, page.sort, page.order, input.only ?? '', part].join(' ')

/** The part in which a page continues, and the position after which it does. */
interface Start {
  part: Part
  after: CursorValue[] | null
}

function readCursor(page: Page, input: ListInput): Start {
  if (input.cursor === undefined) return { part: input.only ?? 'folders', after: null }
  const parts: readonly Part[] = input.only === undefined ? ['folders', 'files'] : [input.only]
  const lists = parts.map(part => ({ name: listName(page, input, part), form: formOf(sortColumns[page.sort][part]) }))
  const { list, after } = decodeCursor(input.cursor, lists)
  return { part: parts[list] ?? 'files', after }
}

/** The first rows of the listing from a start on. */
async function findRows(
  db: Database,
  page: Page,
  { only }: ListInput,
  { part, after }: Start,
  count: number,
): Promise<ItemRow[]> {
  const rows = await findPart(db, page, part, after, count)
  if (part === 'folders' && only === undefined && rows.length < count) {
    rows.push(...(await findPart(db, page, 'files', null, count - rows.length)))
  }
  return rows
}

/** The start of what comes after a row. */
function startAfter(page: Page, row: ItemRow): Start {
  const part: Part = row.is_directory === 1 ? 'folders' : 'files'
  return { part, after: sortColumns[page.sort][part].map(column => row[column] ?? '') }
}

function cursorAfter(page: Page, input: ListInput, row: ItemRow): string {
  const { part, after } = startAfter(page, row)
  return encodeCursor(listName(page, input, part), after ?? [])
}

interface Counts {
  folders: number
  files: number
  /** Null unless the user may change items in the folder. */
  held: number | null
}

/** The numbers of items that the user is shown. */
async function countShown(db: Database, { spaceId, parentId, abilities, userId }: Page): Promise<Counts> {
  if (!abilities.see) return { folders: 0, files: await countHandIns(db, parentId ?? 0, userId), held: null }
  const { folders, files, held } = await findTotals(db, spaceId, parentId, abilities, userId)
  return { folders, files: files - held, held: abilities.change ? held : null }
}

/** The folder itself as the listing shows it; its own path is the listing's, or '/' for the root of a place. */
async function presentFolder(db: Database, actor: Caller, { folder, standing }: Place, folderPath: string) {
  if (folder === null) return null
  const row = { ...folder, standing }
  return presentItem(row, folderPath, await findSurroundings(db, actor, [row]))
}

/**
 * One page of a folder that the actor may see. Throws as `findFolder` if they see less of it meanwhile, and `unavailable`
 * if the folder has begun to go to another user.
 */
export async function listFiles(db: Database, actor: Caller, place: Place, input: ListInput): Promise<FolderListing> {
  const { spaceId, folderId: parentId, standing } = place
  const { sort, order } = input
  const page: Page = { spaceId, parentId, abilities: standing.here, userId: viewerId(actor), sort, order }
  const start = readCursor(page, input)
  const here = standingIn(standing)
  const hashes = input.with === 'sha256' ? openHashes(db, actor) : null
  const { rootId } = standing
  const findWay = async () => (parentId === null ? [] : findAncestors(db, { folderId: parentId, rootId }))
  // Elsewhere it is read after the rows, so that these were read while the folder was in its place, and shown.
  const findWayAfter = async () => {
    await findFolder(db, actor, parentId, needToReadOn(standing.here))
    return findWay()
  }
  const finding = rootId === null ? findWay() : null
  let breadcrumbs: Breadcrumb[] = []
  let hasReadOn = false
  const pathOfWay = () => breadcrumbs.at(-1)?.path ?? ''
  const [counts, { items, last }] = await Promise.all([
    countShown(db, page),
    presentPage(db, actor, {
      count: input.limit ?? wholeListSize,
      read: async (after, count) => {
        hasReadOn ||= after !== null
        const rows = await findRows(db, page, input, after === null ? start : startAfter(page, after), count)
        const seen = rows.map(row => addStanding(row, here))
        hashes?.note(seen)
        return seen
      },
      findPaths: async () => {
        breadcrumbs = await (finding ?? findWayAfter())
        return new Map([[rootId, new Map([[parentId, pathOfWay()]])]])
      },
    }),
    finding,
  ])
  // Further rows may have got their names after the folder had left, which only a look after the last of them shows.
  if (hasReadOn && rootId !== null) await findWayAfter()
  if (!isOwn(actor, { space_id: spaceId })) await confirmPlace(db, spaceId, parentId)
  const path = pathOfWay()
  const folders = items.filter(item => item.is_directory)
  const files = items.filter(item => !item.is_directory)
  const ids = folders.map(item => item.id)
  return {
    files: hashes === null ? files : await hashes.addTo(files),
    folders,
    total: input.only === undefined ? counts.folders + counts.files : counts[input.only],
    total_folders: counts.folders,
    held: counts.held,
    may: presentAbilities(standing),
    path: path === '' ? '/' : path,
    breadcrumbs,
    folder: await presentFolder(db, actor, place, breadcrumbs.at(-2)?.path ?? ''),
    next_cursor: last === null ? null : cursorAfter(page, input, last),
    ...(input.only === 'folders' ? { with_folders: await findWithFolders(db, spaceId, ids) } : {}),
  }
}

/**
 * A weak ETag of a listing. It changes with every change in the space, and elsewhere with every change in the caller's
 * own, where the marks on others' items are counted. It is the caller's own: others see other marks and other held
 * files. None for who sees the own hand-ins alone: it would tell that others have handed in.
 */
export async function findListingEtag(
  db: Database,
  { root, userId }: Caller,
  { spaceId, standing: { here, rootId } }: Place,
  input: ListInput,
): Promise<string | undefined> {
  if (!here.see) return undefined
  const revisions = [await findRevision(db, spaceId)]
  if (rootId !== null) revisions.push(await findRevision(db, root.spaceId))
  const state = [version, spaceId, revisions, userId, here, rootId, input]
  const hash = createHash('sha256').update(JSON.stringify(state))
  return `W/"${hash.digest('base64url').slice(0, 27)}"`
}
