/** Builds the copy of a folder in slices, as an unlisted tree (see delete/tree.ts) that one write shows in the end. */
import { setTimeout } from 'node:timers/promises'
import { liveRow } from '../../access/policy.ts'
import { AppError } from '../../base/errors.ts'
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import { isOneOf } from '../../db/values.ts'
import { systemActor } from '../../db/write.ts'
import type { Deps } from '../../deps.ts'
import { changesOfBytes } from '../../metadata/values.ts'
import { treeLease } from '../delete/tree.ts'
import { requireLive } from '../find.ts'
import { findTakenNames, nameColumns, pickFreeName } from '../item-name.ts'
import { pauseTime, sliceSize } from '../slices.ts'
import { charge } from '../space.ts'
import { type CopyTerms, copyMarks, findMetadataSizes, insertCopies, type Pair } from './rows.ts'

/** Bytes that the row of a copy may take, with what finds it. */
const rowSize = 1024
/** Bytes of metadata that one slice copies, but for a single item that has more from before there was a most. */
const sliceBytes = 1024 ** 2
/** Folders whose items one slice looks at. */
const foldersAtOnce = 100

/** A folder that has its copy, while its items may still be missing there. */
interface OpenFolder extends Pair {
  /** Levels of folders of the copy down to this one, the root being 1. */
  level: number
  /** The last item that has been copied, 0 before the first. */
  afterId: number
}

/** How far a copy has come. The folders that wait are all the memory that it needs. */
interface Progress {
  open: OpenFolder[]
  /** The newest row of the copy. */
  lastId: number
  /** Levels of folders so far. */
  height: number
}

interface SourceRow {
  id: number
  parent_id: number
  name: string
  is_directory: 0 | 1
  size: number
}

/** The write that goes on has lost its right to: another process took this one to be dead and removes the copy. */
export async function keepTree({ leases }: Deps, rootId: number): Promise<void> {
  if (!(await leases.renew(treeLease(rootId)))) {
    throw new AppError('unavailable', 'Copying was interrupted, try again', { retryAfter: 1 })
  }
}

/** The last folders that wait, in the order of their ids: one that was begun, or many that were not. */
function nextFolders(open: readonly OpenFolder[]): OpenFolder[] {
  const begun = open.at(-1)
  if (begun !== undefined && begun.afterId > 0) return [begun]
  return open.slice(-foldersAtOnce).sort((a, b) => a.source - b.source)
}

/** The live items of some folders, folder by folder. */
const findSources = (db: Database, terms: CopyTerms, folders: readonly OpenFolder[]): Promise<SourceRow[]> =>
  db.rows<SourceRow>(
    `SELECT f.id, f.parent_id, f.name, f.is_directory, f.size FROM files f
     WHERE f.space_id = $1 AND ${liveRow} AND f.id > $2
       AND ${isOneOf(
         'f.parent_id',
         folders.map(({ source }) => source),
         3,
       )}
     ORDER BY f.parent_id, f.id LIMIT ${sliceSize}`,
    [terms.sourceSpaceId, folders[0]?.afterId ?? 0, ...folders.map(({ source }) => source)],
  )

interface Slice {
  sources: SourceRow[]
  /** Bytes of their metadata. */
  metadata: number
  /** Whether the folders have no more of them. */
  isLast: boolean
}

/** The next live items of some folders: as many as one write may copy. */
async function findSlice(db: Database, terms: CopyTerms, folders: readonly OpenFolder[]): Promise<Slice> {
  const rows = await findSources(db, terms, folders)
  const sizes = await findMetadataSizes(
    db,
    rows.map(({ id }) => id),
  )
  const sources: SourceRow[] = []
  let metadata = 0
  for (const row of rows) {
    const size = sizes.get(row.id) ?? 0
    if (sources.length > 0 && metadata + size > sliceBytes) break
    sources.push(row)
    metadata += size
  }
  const isLast = sources.length === rows.length && rows.length < sliceSize
  return { sources, metadata, isLast }
}

/** Which row became which: by its name, which is its own among the live items of a folder. */
async function findPairs(
  db: Database,
  rootId: number,
  lastId: number,
  folders: ReadonlyMap<number, OpenFolder>,
  sources: readonly SourceRow[],
): Promise<Pair[]> {
  const rows = await db.rows<{ id: number; parent_id: number; name: string }>(
    'SELECT f.id, f.parent_id, f.name FROM files f WHERE f.trash_root_id = $1 AND f.id > $2',
    [rootId, lastId],
  )
  const copies = new Map(rows.map(row => [`${row.parent_id}/${row.name}`, row.id]))
  return sources.flatMap(({ id, parent_id, name }) => {
    const copy = copies.get(`${folders.get(parent_id)?.copy}/${name}`)
    return copy === undefined ? [] : [{ source: id, copy }]
  })
}

/** The folders that are not done after a slice: what it did not come to, and what it found. */
function leftOpen(folders: readonly OpenFolder[], { sources, isLast }: Slice, pairs: readonly Pair[]): OpenFolder[] {
  const byId = new Map(folders.map(folder => [folder.source, folder]))
  const copies = new Map(pairs.map(({ source, copy }) => [source, copy]))
  const found = sources.flatMap(({ id, parent_id, is_directory }) => {
    const copy = copies.get(id)
    const level = (byId.get(parent_id)?.level ?? 0) + 1
    return is_directory === 0 || copy === undefined ? [] : [{ source: id, copy, level, afterId: 0 }]
  })
  const last = sources.at(-1)
  if (last === undefined || isLast) return found
  const rest = folders.filter(({ source }) => source > last.parent_id)
  const begun = folders.filter(({ source }) => source === last.parent_id)
  // The one that was begun comes last, to be gone on with.
  return [...rest, ...found, ...begun.map(folder => ({ ...folder, afterId: last.id }))]
}

async function copySlice(deps: Deps, terms: CopyTerms, root: Pair, done: Progress): Promise<Progress> {
  const { db } = deps
  const folders = nextFolders(done.open)
  const { slice, pairs } = await db.write(systemActor, async record => {
    record.nothing()
    await lockSpace(db, terms.spaceId)
    await keepTree(deps, root.copy)
    // What is trashed has no live items: without this the copy would lack them, and nobody would be told.
    await requireLive(db, terms.sourceSpaceId, [root.source, ...folders.map(({ source }) => source)])
    const slice = await findSlice(db, terms, folders)
    const { sources } = slice
    if (sources.length === 0) return { slice, pairs: [] }
    const bytes = sources.reduce((sum, { size }) => sum + size, 0)
    await charge(db, terms.spaceId, bytes, sources.length)
    const ids = sources.map(({ id }) => id)
    await insertCopies(db, terms, root.copy, folders, ids)
    const byId = new Map(folders.map(folder => [folder.source, folder]))
    const pairs = await findPairs(db, root.copy, done.lastId, byId, sources)
    await copyMarks(db, terms.ownerId, pairs)
    return { slice, pairs }
  })
  const left = leftOpen(folders, slice, pairs)
  return {
    open: [...done.open.slice(0, -folders.length), ...left],
    lastId: pairs.reduce((highest, { copy }) => Math.max(highest, copy), done.lastId),
    height: left.reduce((height, { level }) => Math.max(height, level), done.height),
  }
}

/**
 * Copies all that is live below a folder to below the root of an unlisted tree; gives back how many levels of folders
 * that has. What changes meanwhile is copied as each slice sees it. Before each slice it asks `confirm`, which throws to
 * stop it. Throws `quota_exceeded`, `storage_full`, and `rate_limited` where its metadata is more than the user may add in
 * a day.
 */
export async function copyTree(
  deps: Deps,
  terms: CopyTerms,
  root: Pair,
  confirm: () => Promise<void>,
): Promise<number> {
  let metadata = 0
  let progress: Progress = { open: [{ ...root, level: 1, afterId: 0 }], lastId: root.copy, height: 1 }
  while (progress.open.length > 0) {
    await confirm()
    // Contents are shared, but not rows and metadata.
    const next = await findSlice(deps.db, terms, nextFolders(progress.open))
    await deps.room.admit(0, next.metadata + next.sources.length * rowSize)
    const counted = changesOfBytes(metadata)
    metadata += next.metadata
    await deps.changes.count(terms.ownerId, changesOfBytes(metadata) - counted)
    progress = await copySlice(deps, terms, root, progress)
    await setTimeout(pauseTime)
  }
  await renameTwins(deps, terms.spaceId, root.copy)
  return progress.height
}

interface TwinRow {
  id: number
  parent_id: number
  name: string
  is_directory: 0 | 1
}

/** Items that were renamed or moved while their folder was copied can have left two of a name: the later get another. */
async function renameTwins(deps: Deps, spaceId: number, rootId: number): Promise<void> {
  const { db } = deps
  const twins = await db.rows<TwinRow>(
    `SELECT f.id, f.parent_id, f.name, f.is_directory FROM files f JOIN (
       SELECT parent_id, name, MIN(id) AS id FROM files WHERE trash_root_id = $1
       GROUP BY parent_id, name HAVING COUNT(*) > 1) first
     ON first.parent_id = f.parent_id AND first.name = f.name AND first.id < f.id
     WHERE f.trash_root_id = $1`,
    [rootId],
  )
  for (const twin of twins) {
    const isDirectory = twin.is_directory === 1
    await db.write(systemActor, async record => {
      record.nothing()
      await lockSpace(db, spaceId)
      await keepTree(deps, rootId)
      const name = await pickFreeName(twin.name, isDirectory, names =>
        findTakenNames(db, names, add => `parent_id = ${add(twin.parent_id)}`),
      )
      await db.update(db.files, nameColumns(name, isDirectory), twin.id)
    })
  }
}
