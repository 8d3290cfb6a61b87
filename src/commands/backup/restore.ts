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
import { withConfig } from '../open.ts'
import { addLoss, type Copied, eachBlob, nothingCopied } from './blobs.ts'
import { type CopyOptions, checkContent, copyContent, DamagedError, type Outcome } from './contents.ts'
import { withLock } from './lock.ts'
import { chooseSnapshot, type Manifest, readManifest, type TableParts } from './manifest.ts'
import { findPlace, type Place } from './place.ts'
import { type BlobRow, partsOf, readBlobs, readPart, toRow } from './rows.ts'

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

async function isEmpty(store: BlobStore): Promise<boolean> {
  for await (const _stored of store.list()) return false
  return true
}

/** Throws `in_use` where anything but what a cut restore left stands in the way. */
async function refuseFilled({ database, storage }: Config, store: BlobStore): Promise<void> {
  const isGoingOn = await findUnfinishedRestore(database)
  if (isGoingOn || (await isEmpty(store))) return
  throw new AppError('in_use', `${storage} holds files already: a backup is restored into an empty folder`)
}

async function loadTable(db: Database, place: Place, table: Table, saved: TableParts, options: CopyOptions) {
  await db.touch(() => emptyTable(db, table))
  for (const part of saved.parts) {
    options.signal.throwIfAborted()
    const rows = await readPart(place, part)
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
async function loadRows(db: Database, place: Place, manifest: Manifest, options: CopyOptions): Promise<void> {
  const tables = new Map((await findTables(db)).map(table => [table.name, table]))
  for (const saved of manifest.tables) {
    const table = tables.get(saved.name)
    if (table === undefined) throw new Error(`The snapshot has a table ${saved.name}, which its migrations do not make`)
    await loadTable(db, place, table, saved, options)
  }
}

/** Brings one content; what was linked, or left by a cut restore, nobody has read yet. Throws DamagedError. */
async function loadBlob(contents: BlobStore, store: BlobStore, blob: BlobRow): Promise<Outcome> {
  const outcome = await copyContent({ store: contents, key: blob.sha256 }, { store, key: blob.key }, blob)
  if (outcome === 'copied') return outcome
  try {
    await checkContent(store, blob.key, blob)
    return outcome
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    await store.remove(blob.key)
    if (outcome === 'kept') return loadBlob(contents, store, blob)
    throw error
  }
}

/** Brings the bytes of files into the store, each read to its end; what is damaged is counted and left out. */
async function loadBlobs(
  db: Database,
  { contents }: Place,
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

async function load(config: Config, place: Place, manifest: Manifest, store: BlobStore, options: RestoreOptions) {
  await makeTables(config.database, manifest.migrations)
  const db = await openDatabase(config.database, true)
  try {
    await loadRows(db, place, manifest, options)
    return await loadBlobs(db, place, store, readBlobs(place, partsOf(manifest, 'blobs')), options)
  } finally {
    await db.close()
  }
}

async function restore(config: Config, place: Place, options: RestoreOptions): Promise<Restored> {
  const manifest = await readManifest(place, await chooseSnapshot(place, options.snapshot))
  refuseUnknown(manifest.migrations)
  const store = await openLocalStore(config.storage)
  await refuseFilled(config, store)
  const { outcomes, lost, lost_count, ...contents } = await load(config, place, manifest, store, options)
  const lastIds = manifest.tables.flatMap(({ name, last_id: id }) => (id === null ? [] : [{ table: name, id }]))
  const migrated = await finishTables(config.database, lastIds)
  const rowsOf = (name: string) => manifest.tables.find(table => table.name === name)?.rows ?? 0
  const counts = { users: rowsOf('users'), items: rowsOf('files'), contents }
  return { snapshot: manifest.snapshot, ...counts, migrated, outcomes, lost, lost_count }
}

/**
 * Restores into a database and a folder of bytes that hold nothing, or what a cut restore left. Until it has ended,
 * nothing else opens that database. Throws as `withConfig`, `in_use` where anything is there already or another process
 * is at work, `not_found` without a snapshot, and `unavailable` for one of a newer filestore.
 */
export const runRestore = (flags: Flags, folder: string, options: RestoreOptions): Promise<Restored> =>
  withConfig(flags, async config => {
    const place = await findPlace(resolve(folder))
    return withLock(place.folder, () => restore(config, place, options))
  })
