/** `filestore restore`: makes the server of a snapshot again, on either database, where nothing is yet. */
import { resolve } from 'node:path'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { openLocalStore } from '../../blobs/local.ts'
import type { Config, Flags } from '../../config.ts'
import { type Database, openDatabase } from '../../db/database.ts'
import { refuseUnknown } from '../../db/migrate.ts'
import { findUnfinishedRestore, finishTables, makeTables } from '../../db/restore-tables.ts'
import { emptyTable, findTables, insertRows, type Table } from '../../db/tables.ts'
import { AppError } from '../../errors.ts'
import { markAnew } from '../../files/own-store.ts'
import { withConfig } from '../open.ts'
import { addLoss, type Copied, eachBlob, nothingCopied } from './blobs.ts'
import {
  type CopyOptions,
  checkContent,
  copyContent,
  DamagedError,
  type Outcome,
  type SavedContents,
} from './contents.ts'
import { withLock } from './lock.ts'
import { chooseSnapshot, type Manifest, readManifest, type TableParts } from './manifest.ts'
import { findPlace, isBackupFile } from './place.ts'
import { type FileBackup, withFileBackup } from './read-file.ts'
import { refuseWithoutRoom, sizeOfStore } from './room.ts'
import { type BlobRow, partsOf, readBlobs, readPart, type Saved, toRow } from './rows.ts'

interface RestoreOptions extends CopyOptions {
  /** The beginning of a snapshot's name; the newest where nobody said. */
  snapshot: string | undefined
}

export interface Restored extends Pick<Copied, 'outcomes' | 'lost' | 'lost_count'> {
  snapshot: string
  users: number
  /** Files and folders, the trash included. */
  items: number
  contents: { count: number; bytes: number }
  /** Younger than the snapshot, run after it. */
  migrated: string[]
}

/** A snapshot, and what its contents are read from. */
interface Chosen extends Saved {
  manifest: Manifest
}

async function isEmpty(store: BlobStore): Promise<boolean> {
  for await (const _stored of store.list()) return false
  return true
}

/**
 * Opens the store to restore into, which is made once all is well. Throws `in_use` where anything but what a cut restore
 * left stands in the way, and `storage_full` where there is not enough room.
 */
async function openTarget(config: Config, manifest: Manifest): Promise<BlobStore> {
  const { database, storage } = config
  const isGoingOn = await findUnfinishedRestore(database)
  await refuseWithoutRoom(config, manifest, isGoingOn ? await sizeOfStore(await openLocalStore(storage)) : 0)
  const store = await openLocalStore(storage)
  if (isGoingOn || (await isEmpty(store))) return store
  throw new AppError('in_use', `${storage} holds files already: a backup is restored into an empty folder`)
}

async function loadTable(db: Database, backup: Saved, table: Table, saved: TableParts, options: CopyOptions) {
  await db.touch(() => emptyTable(db, table))
  for (const part of saved.parts) {
    options.signal.throwIfAborted()
    const rows = await readPart(backup, part)
    await db.touch(() =>
      insertRows(
        db,
        table,
        rows.map(row => toRow(table, row)),
      ),
    )
    options.onBytes(part.size)
  }
}

/** Fills the tables. Throws DamagedError where rows are not what was saved. */
async function loadRows(db: Database, backup: Saved, manifest: Manifest, options: CopyOptions): Promise<void> {
  const tables = new Map((await findTables(db)).map(table => [table.name, table]))
  for (const saved of manifest.tables) {
    const table = tables.get(saved.name)
    if (table === undefined) throw new Error(`The snapshot has a table ${saved.name}, which its migrations do not make`)
    await loadTable(db, backup, table, saved, options)
  }
}

/** Brings one content; what was left by a cut restore nobody has read yet. Throws DamagedError. */
async function loadBlob(contents: SavedContents, store: BlobStore, blob: BlobRow): Promise<Outcome> {
  const outcome = await copyContent({ store: contents, key: blob.sha256 }, { store, key: blob.key }, blob, 'reflink')
  if (outcome !== 'kept') return outcome
  try {
    await checkContent(store, blob.key, blob)
    return outcome
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    await store.remove(blob.key)
    return loadBlob(contents, store, blob)
  }
}

/** Brings the bytes of files into the store, each read to its end; what is damaged is counted and left out. */
async function loadBlobs(
  db: Database,
  { contents }: Saved,
  store: BlobStore,
  slices: AsyncIterable<BlobRow[]>,
  { signal, onBytes }: RestoreOptions,
): Promise<Copied> {
  const copied = nothingCopied()
  const load = async (blob: BlobRow) => {
    signal.throwIfAborted()
    try {
      copied.outcomes[await loadBlob(contents, store, blob)] += 1
      copied.count += 1
      copied.bytes += blob.size
      onBytes(blob.size)
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      await addLoss(db, copied, blob, error)
    }
  }
  for await (const blobs of slices) await eachBlob(blobs, load)
  return copied
}

async function load(config: Config, { manifest, ...backup }: Chosen, store: BlobStore, options: RestoreOptions) {
  await makeTables(config.database, manifest.migrations)
  const db = await openDatabase(config.database, { isLoading: true })
  try {
    await loadRows(db, backup, manifest, options)
    return await loadBlobs(db, backup, store, readBlobs(backup, partsOf(manifest, 'blobs')), options)
  } finally {
    await db.close()
  }
}

/** The original goes on with its own store, which is no longer this database's. */
async function markRestored(config: Config, store: BlobStore): Promise<void> {
  const db = await openDatabase(config.database)
  try {
    await markAnew({ db, store })
  } finally {
    await db.close()
  }
}

async function restore(config: Config, backup: Chosen, options: RestoreOptions): Promise<Restored> {
  const { manifest } = backup
  refuseUnknown(manifest.migrations)
  const store = await openTarget(config, manifest)
  const { outcomes, lost, lost_count, ...contents } = await load(config, backup, store, options)
  const lastIds = manifest.tables.flatMap(({ name, last_id: id }) => (id === null ? [] : [{ table: name, id }]))
  const migrated = await finishTables(config.database, lastIds)
  await markRestored(config, store)
  const rowsOf = (name: string) => manifest.tables.find(table => table.name === name)?.rows ?? 0
  const counts = { users: rowsOf('users'), items: rowsOf('files'), contents }
  return { snapshot: manifest.snapshot, ...counts, migrated, outcomes, lost, lost_count }
}

async function restoreFolder(config: Config, folder: string, options: RestoreOptions): Promise<Restored> {
  const place = await findPlace(folder)
  return withLock(place.folder, async () => {
    const manifest = await readManifest(place, await chooseSnapshot(place, options.snapshot))
    return restore(config, { contents: place.contents, manifest }, options)
  })
}

/** What is damaged in a file was whole when it was written: another copy of it has all. */
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
    return restore(config, backup, options)
  })
}

/**
 * Restores into a database and a folder of bytes that hold nothing, or what a cut restore left. Until it has ended,
 * nothing else opens that database. A file is read to its end before anything is made. Throws as `withConfig`, `in_use`
 * where anything is there already or another process is at work, `not_found` without a snapshot, `unavailable` for one of
 * a newer filestore, and `storage_full` where there is not enough room.
 */
export const runRestore = (flags: Flags, path: string, options: RestoreOptions): Promise<Restored> =>
  withConfig(flags, config => (isBackupFile(path) ? restoreFile : restoreFolder)(config, resolve(path), options))
