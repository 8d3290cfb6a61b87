/** Builds the copy of a folder in slices, as an unlisted tree (see delete/tree.ts). A last write makes it visible. */
import { setTimeout } from 'node:timers/promises'
import { type Actor, writeActor } from '../../access/actor.ts'
import { isInSpace } from '../../access/reach.ts'
import { needToReadOn } from '../../access/standing.ts'
import { InTransit } from '../../access/transit.ts'
import { AppError } from '../../base/errors.ts'
import type { Database } from '../../db/database.ts'
import { lockSpace } from '../../db/lock-space.ts'
import type { Deps } from '../../deps.ts'
import { changesOfBytes } from '../../metadata/values.ts'
import { treeLease } from '../delete/tree.ts'
import { refuseTooDeep } from '../find-in-space.ts'
import { findItems } from '../find-many.ts'
import { findTakenNames, pickFreeName } from '../free-name.ts'
import { nameColumns } from '../item-name.ts'
import type { FolderAbove } from '../paths.ts'
import { pauseTime, sliceSize } from '../slices.ts'
import { charge } from '../space.ts'
import { type CopyTerms, copyMarks, findMarkSizes, insertCopies, type Pair } from './rows.ts'
import { findSources, leftOpen, nextFolders, type OpenFolder, type SourceRow } from './walk.ts'

/** Bytes that the row of a copy may take, including its index entries. */
const rowSize = 1024
/** Most bytes of metadata and tags per slice; a single item may exceed it if its metadata is older than the limit per file. */
const sliceBytes = 1024 ** 2

/** A folder that has been copied itself, but whose items may not all have been copied yet. */
type CopiedFolder = OpenFolder & Pair

/** The progress of a copy. Only the open folders take memory. */
interface Progress {
  open: CopiedFolder[]
  /** The id of the newest row of the copy. */
  lastId: number
  /** Number of folder levels so far. */
  height: number
}

/** Renews the tree's lease. Throws `unavailable` if another process took this one for dead and is removing the copy. */
export async function keepTree({ leases }: Deps, rootId: number): Promise<void> {
  if (!(await leases.renew(treeLease(rootId)))) {
    throw new AppError('unavailable', 'Copying was interrupted, try again', { retryAfter: 1 })
  }
}

interface Slice {
  sources: SourceRow[]
  /** Bytes of the sources' metadata and tags. */
  marks: number
  /** Whether the folders have no further items. */
  isLast: boolean
}

/** The next live items of the folders, as many as one write may copy. */
async function findSlice(db: Database, terms: CopyTerms, folders: readonly OpenFolder[]): Promise<Slice> {
  const rows = await findSources(db, terms, folders, sliceSize)
  const sizes = await findMarkSizes(
    db,
    terms.ownerId,
    rows.map(({ id }) => id),
  )
  const sources: SourceRow[] = []
  let marks = 0
  for (const row of rows) {
    const size = sizes.get(row.id) ?? 0
    if (sources.length > 0 && marks + size > sliceBytes) break
    sources.push(row)
    marks += size
  }
  const isLast = sources.length === rows.length && rows.length < sliceSize
  return { sources, marks, isLast }
}

/** Matches copies to their sources by name, which is unique among the live items of a folder. */
async function findPairs(
  db: Database,
  rootId: number,
  lastId: number,
  folders: ReadonlyMap<number, CopiedFolder>,
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

/**
 * Throws unless the folders are live and the actor is still shown in them what was shown at the beginning. Without this
 * check the copy would silently lack what a trashed folder holds, and have what a folder holds that has left the shared one
 * around it. Throws `unavailable` if they have gone to another user meanwhile.
 */
async function requireReadable(db: Database, actor: Actor, terms: CopyTerms, ids: readonly number[]): Promise<void> {
  const folders = await findItems(db, actor, ids, needToReadOn(terms.abilities))
  if (!folders.every(folder => isInSpace({ spaceId: terms.sourceSpaceId }, folder.space_id))) throw new InTransit()
}

async function copySlice(deps: Deps, actor: Actor, terms: CopyTerms, root: Pair, done: Progress): Promise<Progress> {
  const { db } = deps
  const folders = nextFolders(done.open)
  const { slice, pairs } = await db.write(writeActor(actor), async record => {
    record.nothing()
    // First where the copy goes: while it waits for that, it keeps nobody waiting in the other one.
    for (const id of [terms.spaceId, terms.sourceSpaceId]) await lockSpace(db, id)
    await keepTree(deps, root.copy)
    await requireReadable(db, actor, terms, [root.source, ...folders.map(({ source }) => source)])
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
  const copies = new Map(pairs.map(({ source, copy }) => [source, copy]))
  const left = leftOpen<CopiedFolder>(folders, slice.sources, slice.isLast, found => {
    const copy = copies.get(found.source)
    return copy === undefined ? undefined : { ...found, copy }
  })
  return {
    open: [...done.open.slice(0, -folders.length), ...left],
    lastId: pairs.reduce((highest, { copy }) => Math.max(highest, copy), done.lastId),
    height: left.reduce((height, { level }) => Math.max(height, level), done.height),
  }
}

/**
 * Copies all live items below a folder into an unlisted tree; returns the number of folder levels of that tree. Each
 * slice copies the items as they are at that time, so each one checks the quota and the depth below the folders of
 * `way` again. Calls `confirm` before each slice; it throws to stop the copy. Throws `not_found` if a folder below is
 * trashed or leaves what the actor may read, `quota_exceeded`, `invalid_input`, `storage_full`, and `rate_limited` if
 * the metadata and tags exceed what the user may add in a day.
 */
export async function copyTree(
  deps: Deps,
  actor: Actor,
  terms: CopyTerms,
  root: Pair,
  way: readonly FolderAbove[],
  confirm: () => Promise<void>,
): Promise<number> {
  let marks = 0
  let progress: Progress = { open: [{ ...root, level: 1, afterId: 0 }], lastId: root.copy, height: 1 }
  while (progress.open.length > 0) {
    await confirm()
    // Copies share the content, but need their own rows, metadata and tags.
    const next = await findSlice(deps.db, terms, nextFolders(progress.open))
    await deps.freeSpace.admit(0, next.marks + next.sources.length * rowSize)
    const counted = changesOfBytes(marks)
    marks += next.marks
    await deps.changes.count(terms.ownerId, changesOfBytes(marks) - counted)
    progress = await copySlice(deps, actor, terms, root, progress)
    refuseTooDeep(way, progress.height)
    await setTimeout(pauseTime)
  }
  await renameTwins(deps, actor, terms.spaceId, root.copy)
  return progress.height
}

interface TwinRow {
  id: number
  parent_id: number
  name: string
  is_directory: 0 | 1
}

/**
 * Renames duplicates, which arise if items are renamed or moved during the copy; the first of each name keeps it. `+ 0`
 * keeps SQLite from reading the whole copy for each.
 */
async function renameTwins(deps: Deps, actor: Actor, spaceId: number, rootId: number): Promise<void> {
  const { db } = deps
  const twins = await db.rows<TwinRow>(
    `SELECT f.id, f.parent_id, f.name, f.is_directory FROM files f JOIN (
       SELECT parent_id, name, MIN(id) AS id FROM files WHERE trash_root_id = $1
       GROUP BY parent_id, name HAVING COUNT(*) > 1) first
     ON first.parent_id = f.parent_id AND first.name = f.name AND first.id < f.id
     WHERE f.trash_root_id + 0 = $1`,
    [rootId],
  )
  for (const twin of twins) {
    const isDirectory = twin.is_directory === 1
    await db.write(writeActor(actor), async record => {
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
