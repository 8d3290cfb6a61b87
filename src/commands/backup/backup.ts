/** `filestore backup`: a snapshot of rows and files as they are at one moment, also while the server runs. */
import { rm, stat, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Flags } from '../../config.ts'
import { findMigrations } from '../../db/migrate.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { version } from '../../version.ts'
import { withOldFiles } from '../open.ts'
import { type Copied, OutdatedError, saveBlobs } from './blobs.ts'
import { type CopyOptions, checkContent, DamagedError } from './contents.ts'
import { withHold } from './hold.ts'
import { withLock } from './lock.ts'
import { listSnapshots, type Manifest, removeDrafts, saveManifest, snapshotName } from './manifest.ts'
import { makePlace, type Place } from './place.ts'
import { pruneSnapshots, sweepPlace } from './prune.ts'
import { saveRows } from './rows.ts'

interface BackupOptions extends CopyOptions {
  /** How many snapshots stay; all where nobody said. */
  keep: number | undefined
}

export interface Backup extends Omit<Copied, 'count' | 'bytes'> {
  folder: string
  snapshot: string
  /** Files and folders, the trash included. */
  items: number
  /** Contents beside the rows, and their bytes. */
  contents: { count: number; bytes: number }
  /** Snapshots that --keep has removed. */
  removed: string[]
  /** What could not be done beside it. */
  notices: string[]
}

interface Saved {
  manifest: Manifest
  copied: Copied
}

/** How often rows are read anew where a hold did not last. */
const maxTries = 3

async function trySnapshot(deps: Deps, place: Place, options: BackupOptions): Promise<Saved> {
  const time = new Date(deps.clock.now())
  const migrations = await findMigrations(deps.db)
  const tables = await saveRows(deps.db, place, options)
  const blobs = tables.find(({ name }) => name === 'blobs')?.parts ?? []
  const copied = await saveBlobs(deps, place, blobs, options)
  const manifest: Manifest = {
    format: 1,
    snapshot: snapshotName(time),
    time: time.toISOString(),
    version,
    dialect: deps.db.dialect,
    migrations,
    tables,
    contents: { count: copied.count, bytes: copied.bytes },
    lost: copied.lost_count,
  }
  return { manifest, copied }
}

/** Rows and contents that fit each other, without the manifest that makes them count. */
async function takeSnapshot(deps: Deps, place: Place, options: BackupOptions, attempt = 1): Promise<Saved> {
  try {
    return await trySnapshot(deps, place, options)
  } catch (error) {
    if (!(error instanceof OutdatedError)) throw error
    if (attempt < maxTries) return takeSnapshot(deps, place, options, attempt + 1)
    throw new AppError('unavailable', 'Files were deleted while they were copied, try again', { cause: error })
  }
}

/** Whether what a cut run left is whole: nobody knows how far its bytes had come to the disk. */
async function isWhole({ contents }: Place, sha256: string): Promise<boolean> {
  const size = (await contents.size(sha256)) ?? 0
  return checkContent(contents, sha256, { sha256, size }).then(
    () => true,
    error => {
      if (error instanceof DamagedError) return false
      throw error
    },
  )
}

/** What stands in the way of a sweep stands not in the way of the backup. */
async function trySweep(sweep: () => Promise<unknown>, notices: string[]): Promise<void> {
  try {
    await sweep()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    notices.push(`Contents that may be needed no more stay: ${error.message}. --verify tells more`)
  }
}

/** Notes that a run is under way, so that the next one looks after what this one leaves if it is cut. */
async function withMark<Result>(place: Place, notices: string[], work: () => Promise<Result>): Promise<Result> {
  const mark = join(place.folder, 'unfinished')
  if ((await stat(mark).catch(() => undefined)) !== undefined) {
    await removeDrafts(place)
    await trySweep(() => sweepPlace(place, sha256 => isWhole(place, sha256)), notices)
  }
  await writeFile(mark, '', { mode: 0o600, flush: true })
  const result = await work()
  await rm(mark, { force: true })
  return result
}

async function backUp(deps: Deps, place: Place, options: BackupOptions): Promise<Backup> {
  const notices: string[] = []
  return withMark(place, notices, async () => {
    const { manifest, copied } = await withHold(deps, () => takeSnapshot(deps, place, options))
    const { snapshot, tables } = manifest
    if ((await listSnapshots(place)).includes(snapshot)) throw new Error(`There is a snapshot ${snapshot} already`)
    await saveManifest(place, manifest)
    const removed = options.keep === undefined ? [] : await pruneSnapshots(place, options.keep, snapshot)
    await trySweep(() => sweepPlace(place), notices)
    const { outcomes, lost, lost_count, ...contents } = copied
    const items = tables.find(({ name }) => name === 'files')?.rows ?? 0
    return { folder: place.folder, snapshot, items, contents, outcomes, lost, lost_count, removed, notices }
  })
}

/**
 * Backs up to a folder, which is made where it is not there; what an earlier backup has brought there is not brought
 * again. Throws as `withFiles`, `invalid_input` for a folder of other things, and `in_use` where another process is at
 * work in it.
 */
export const runBackup = (flags: Flags, folder: string, options: BackupOptions): Promise<Backup> =>
  withOldFiles(flags, async deps => {
    const place = await makePlace(resolve(folder))
    return withLock(place.folder, () => backUp(deps, place, options))
  })
