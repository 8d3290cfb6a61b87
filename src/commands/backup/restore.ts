/** `filestore restore`: rebuilds the server from a snapshot, on either database, at an empty destination. */

import { AppError } from '../../base/errors.ts'
import { resolvePath } from '../../base/process-context.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { openStore } from '../../blobs/open-store.ts'
import type { Config } from '../../config.ts'
import type { Flags } from '../../config-options.ts'
import { type Database, openDatabase } from '../../db/database.ts'
import { findLastIds, isDamagedId, type LastId, lastIdOf, lastIdsOf, titleLastId } from '../../db/last-ids.ts'
import { completeNames } from '../../db/migrations-table.ts'
import { findUnfinishedRestore, finishTables, makeTables } from '../../db/restore-tables.ts'
import { findTables, type Row, readSlices } from '../../db/tables.ts'
import { markAnew } from '../../files/store-identity.ts'
import { withConfig } from '../open.ts'
import { tellAudit } from '../tell-audit.ts'
import { addLosses, type Copied, countInlineLosses } from './blobs.ts'
import type { CopyOptions } from './contents.ts'
import { refuseWithoutSpace, sizeOfStore } from './free-space.ts'
import { loadBlobs } from './load-blobs.ts'
import { loadRows } from './load-rows.ts'
import { withLock } from './lock.ts'
import { chooseSnapshot, type Manifest, readManifest, refuseNewer } from './manifest.ts'
import { findPlace, isBackupFile } from './place.ts'
import { addProblems, noProblems, type Problems } from './problems.ts'
import { type FileBackup, withFileBackup } from './read-file.ts'
import { partsOf, readBlobs, type Saved } from './rows.ts'
import { type FindKept, keptInFolder, refuseOtherSecret, restoreSecret } from './secret.ts'
import { compareList } from './snapshot-list.ts'
import { tellGap } from './table-check.ts'
import { settleUnclear } from './unclear.ts'

interface RestoreOptions extends CopyOptions {
  /** The start of a snapshot's name; undefined for the newest. */
  snapshot: string | undefined
  /** Whether all links are paused: some may have been ended since the backup. */
  pauseLinks: boolean
}

/** `problems` lists damage of the backed-up database and its rows, and how each was handled. */
export interface Restored extends Pick<Copied, 'outcomes' | 'lost' | 'lost_count'>, Problems {
  snapshot: string
  /** Newer snapshots that were deleted by hand from the folder. */
  missing: string[]
  /** What is wrong with the folder's list of snapshots: there may have been newer ones. */
  list_problems: string[]
  users: number
  /** Files and folders, the trash included. */
  items: number
  contents: { count: number; bytes: number }
  /** Links that are not paused, and those that this restore has paused. */
  links: { active: number; paused: number }
  /** What became of the server's secret; see restoreSecret. Null if the snapshot has none. */
  secret: Awaited<ReturnType<typeof restoreSecret>>
  /** Whether the environment gave the secret when the backup was made. */
  secret_given: boolean
  /** Newer migrations than the snapshot's, run after restoring it. */
  migrated: string[]
}

/** A snapshot and the source of its contents. */
interface Chosen extends Saved {
  manifest: Manifest
  findSecret: FindKept
  /** The path of the folder or file. */
  place: string
  /** See Restored. */
  missing: string[]
  list_problems: string[]
}

async function isEmpty(store: BlobStore): Promise<boolean> {
  for await (const _stored of store.list()) return false
  return true
}

/**
 * Opens the destination store, created once all checks have passed. Throws `in_use` when it holds anything but the
 * remains of an interrupted restore, and `storage_full` when there is not enough room.
 */
async function openTarget(config: Config, manifest: Manifest): Promise<BlobStore> {
  const isGoingOn = await findUnfinishedRestore(config.database)
  await refuseWithoutSpace(config, manifest, isGoingOn ? await sizeOfStore(await openStore(config)) : 0)
  const store = await openStore(config)
  if (isGoingOn || (await isEmpty(store))) return store
  throw new AppError('in_use', `${store.name} holds files already: a backup is restored into an empty folder`)
}

async function* readTable(db: Database, name: string, signal: AbortSignal): AsyncGenerator<Row[]> {
  const table = (await findTables(db)).find(found => found.name === name)
  if (table === undefined) return
  for await (const rows of readSlices(db, table)) {
    signal.throwIfAborted()
    yield rows
  }
}

/** Pauses all links if that is wanted. The tables of an older filestore have none. */
async function settleLinks(db: Database, isPausing: boolean): Promise<Restored['links']> {
  if (!(await findTables(db)).some(({ name }) => name === 'links')) return { active: 0, paused: 0 }
  const paused = isPausing ? await db.touch(() => db.change('UPDATE links SET is_active = 0 WHERE is_active = 1')) : 0
  const row = await db.row<{ count: number }>('SELECT COUNT(*) AS count FROM links WHERE is_active = 1')
  return { active: row?.count ?? 0, paused }
}

/** Unfinished uploads are in no backup, so they hold nothing free. The tables of an older filestore know none. */
async function forgetUploads(db: Database): Promise<void> {
  const spaces = (await findTables(db)).find(({ name }) => name === 'spaces')
  if (!spaces?.columns.some(({ name }) => name === 'storage_reserved')) return
  await db.touch(() => db.change('UPDATE spaces SET storage_reserved = 0'))
}

/** The last assigned id of each table: the highest of the snapshot's counter and the ids in the restored rows. */
async function findLastIdsOf(db: Database, { tables }: Manifest): Promise<LastId[]> {
  const found = await findLastIds(db)
  return lastIdsOf(tables, new Map(found.map(({ table, told }) => [table, told])))
}

async function load(config: Config, { manifest, ...backup }: Chosen, store: BlobStore, options: RestoreOptions) {
  const executed = completeNames(manifest.migrations)
  await makeTables(config.database, executed.names)
  const db = await openDatabase(config.database, { isLoading: true })
  try {
    const problems = await loadRows(db, backup, manifest, options)
    await settleUnclear(db, manifest.damage?.unclear ?? [], problems)
    const links = await settleLinks(db, options.pauseLinks)
    await forgetUploads(db)
    // Count losses in the restored rows, which include what the server had lost before the backup.
    const rowsOf = (name: string) => readTable(db, name, options.signal)
    const lost = await countInlineLosses(db, rowsOf('blobs'), rowsOf('blob_bytes'))
    const copied = await loadBlobs(db, backup, store, readBlobs(backup, partsOf(manifest, 'blobs')), options)
    const lastIds = await findLastIdsOf(db, manifest)
    const sentences = lastIds.filter(isDamagedId).map(lastId => `${titleLastId(lastId)}; mended`)
    addProblems(problems, sentences)
    addProblems(problems, tellGap(executed))
    return { problems, links, lastIds, copied: addLosses(copied, lost) }
  } finally {
    await db.close()
  }
}

/** Gives the copy its own mark, because the original database keeps using its own store. */
async function markRestored(config: Config, store: BlobStore, detail: Record<string, unknown>): Promise<void> {
  const db = await openDatabase(config.database)
  try {
    await markAnew({ db, store })
    // Revisions that were never used: a listing or a place in the feed from before the restore must not seem current.
    // What cannot be a revision is left to fsck.
    await db.touch(() => db.change('UPDATE spaces SET revision = $1 WHERE revision BETWEEN 0 AND $1', [Date.now()]))
    // If the event cannot be written, the server cannot start either, and reports more about it.
    await tellAudit(db, 'backup.restore', null, detail)
  } finally {
    await db.close()
  }
}

async function restore(config: Config, backup: Chosen, options: RestoreOptions): Promise<Restored> {
  const { manifest } = backup
  refuseNewer(manifest)
  await refuseOtherSecret(config, manifest)
  const store = await openTarget(config, manifest)
  const { problems, links, lastIds, copied } = await load(config, backup, store, options)
  // List the database's own findings before the problems of its rows.
  const told = noProblems()
  const found = manifest.damage?.found ?? []
  addProblems(told, found)
  const others = problems.problems.filter(problem => !found.includes(problem))
  addProblems(told, others, problems.problem_count - (problems.problems.length - others.length))
  const { outcomes, lost, lost_count, ...contents } = copied
  const given = lastIds.flatMap(lastId => (lastIdOf(lastId) > 0 ? [{ table: lastId.table, id: lastIdOf(lastId) }] : []))
  const secret = await restoreSecret(config, manifest, backup.findSecret)
  const migrated = await finishTables(config.database, given)
  const { snapshot } = manifest
  const { paused } = links
  await markRestored(config, store, { snapshot, place: backup.place, ...(paused > 0 && { paused_links: paused }) })
  const rowsOf = (name: string) => manifest.tables.find(table => table.name === name)?.rows ?? 0
  const secretTold = { secret, secret_given: manifest.secret?.is_given === true }
  const counts = { users: rowsOf('users'), items: rowsOf('files'), contents, links, ...secretTold }
  const { missing, list_problems } = backup
  return { snapshot, missing, list_problems, ...counts, migrated, outcomes, lost, lost_count, ...told }
}

async function restoreFolder(config: Config, folder: string, options: RestoreOptions): Promise<Restored> {
  const place = await findPlace(folder)
  return withLock(place.folder, async () => {
    const { missing, problems } = await compareList(place)
    const name = await chooseSnapshot(place, options.snapshot)
    const manifest = await readManifest(place, name)
    // Whoever names a snapshot wants this one.
    const told =
      options.snapshot === undefined
        ? { missing: missing.filter(other => other > name), list_problems: problems }
        : { missing: [], list_problems: [] }
    const findSecret = keptInFolder(place)
    return restore(config, { contents: place.contents, findSecret, manifest, place: folder, ...told }, options)
  })
}

/** Throws for a damaged file: it was intact when it was written, so another copy of it may be complete. */
function refuseDamaged(file: string, { damages, missing }: FileBackup): void {
  const count = damages.size + missing
  if (count === 0) return
  const [first] = damages
  const what = first === undefined ? `${missing} of its contents are missing` : `blobs/${first[0]} ${first[1]}`
  throw new Error(`${file} is damaged, nothing was restored: ${what}. 'filestore backup --verify' tells more`)
}

async function restoreFile(config: Config, file: string, options: RestoreOptions): Promise<Restored> {
  if (options.snapshot !== undefined) {
    throw new AppError('invalid_input', '--snapshot is for a folder of backups: a file holds one')
  }
  return withFileBackup(file, options, async backup => {
    refuseDamaged(file, backup)
    return restore(config, { ...backup, place: file, missing: [], list_problems: [] }, options)
  })
}

/**
 * Restores into an empty database and store, or over the remains of an interrupted restore. Until it has finished,
 * nothing else can open that database. A backup file is read completely before anything is created. Throws as
 * `withConfig`, `in_use` when the destination is not empty or another process uses it, `not_found` without a snapshot,
 * `unavailable` for a newer filestore's snapshot, and `storage_full` when there is not enough room.
 */
export const runRestore = (flags: Flags, path: string, options: RestoreOptions): Promise<Restored> =>
  withConfig(flags, config => (isBackupFile(path) ? restoreFile : restoreFolder)(config, resolvePath(path), options))
