/** `filestore backup`: adds a snapshot to a folder, or writes one into a file. The server may be running. */
import { rm } from 'node:fs/promises'
import { AppError } from '../../base/errors.ts'
import { resolvePath } from '../../base/process-context.ts'
import type { Flags } from '../../config-options.ts'
import type { Deps } from '../../deps.ts'
import { withOldFiles } from '../open.ts'
import { tellAudit } from '../tell-audit.ts'
import { type Copied, saveBlobs } from './blobs.ts'
import { type CopyOptions, copyContent, isWhole } from './contents.ts'
import { findEarlierDamage, tellEarlierDamage } from './earlier.ts'
import { writeFileBackup } from './file.ts'
import { keepFloor, openFloor } from './free-space.ts'
import { withLock } from './lock.ts'
import { listedFormat, listSnapshots, removeDrafts, removeSnapshot, saveManifest } from './manifest.ts'
import { isBackupFile, makePlace, type Place } from './place.ts'
import type { Problems } from './problems.ts'
import { choosePruned, sweepPlace } from './prune.ts'
import { type BlobRow, partsOf } from './rows.ts'
import { type SecretState, saveSecret } from './secret.ts'
import { type Taken, takeSnapshot } from './snapshot.ts'
import { compareList, markOf, readMark, tellMissing, writeList, writeMark } from './snapshot-list.ts'

interface BackupOptions extends CopyOptions {
  /** How many snapshots to keep; undefined keeps all. */
  keep: number | undefined
  /** Whether contents may be hard links to the server's own files. */
  link: boolean
  /** Whether an existing file may be replaced. */
  replace: boolean
}

/** `problems` lists damage of the database and its rows; the backup contains damaged rows unchanged. */
export interface Backup extends Omit<Copied, 'count' | 'bytes'>, Problems {
  /** Where the backup is: exactly one of the two is set. */
  folder: string | null
  file: string | null
  snapshot: string
  /** Files and folders, the trash included. */
  items: number
  /** Contents stored outside the rows, with their bytes. */
  contents: { count: number; bytes: number }
  /** Where the server's secret is; null if the server has none yet. */
  secret: SecretState | null
  /** Snapshots that --keep has removed. */
  removed: string[]
  /** What is wrong with earlier snapshots in the folder, one sentence each. */
  earlier: string[]
  /** Warnings about work besides the backup that failed. */
  notices: string[]
}

/** Whether a content left by an interrupted run is intact: nobody knows how much of it reached the disk. */
async function isLeftWhole({ contents }: Place, sha256: string): Promise<boolean> {
  const size = (await contents.size(sha256)) ?? 0
  return isWhole(contents, sha256, { sha256, size })
}

/** Runs a sweep. Its failure is only a notice, because the backup can go on without it. */
async function trySweep(sweep: () => Promise<unknown>, notices: string[]): Promise<void> {
  try {
    await sweep()
  } catch (error) {
    if (!(error instanceof Error)) throw error
    notices.push(`Contents that may be needed no more stay: ${error.message}. --verify tells more`)
  }
}

/** Names the snapshots that the list lacks if the run is interrupted from now on. */
type MarkUnlisted = (names: readonly string[]) => Promise<void>

/** Cleans up after an interrupted run, which has left its mark. */
async function cleanUp(place: Place, notices: string[]): Promise<void> {
  if ((await readMark(place)) === null) return
  await removeDrafts(place)
  await trySweep(() => sweepPlace(place, sha256 => isLeftWhole(place, sha256)), notices)
}

/** Marks the folder as unfinished while `work` runs. `isFirst`: the folder has no list yet. */
async function withMark<Result>(
  place: Place,
  { isFirst, notices }: { isFirst: boolean; notices: string[] },
  work: (mark: MarkUnlisted) => Promise<Result>,
): Promise<Result> {
  const mark: MarkUnlisted = unlisted => writeMark(place, { unlisted, isFirst })
  await mark([])
  const result = await work(mark).catch(async error => {
    // Remove what was copied so far. The backup has no room for the rest, and the server would be left without any.
    if (error instanceof AppError && error.code === 'storage_full') await trySweep(() => sweepPlace(place), notices)
    throw error
  })
  await rm(markOf(place), { force: true })
  return result
}

/** The report about a new snapshot. */
function describe({ manifest, copied, damage, secret }: Taken) {
  const { outcomes, lost, lost_count, ...contents } = copied
  const items = manifest.tables.find(({ name }) => name === 'files')?.rows ?? 0
  return {
    snapshot: manifest.snapshot,
    items,
    contents,
    secret: secret?.state ?? null,
    outcomes,
    lost,
    lost_count,
    ...damage,
  }
}

/**
 * Removes the oldest snapshots and lists the rest, with those that are missed unless they were to be removed by now.
 * Returns the names of the removed ones. A snapshot is never listed when its file may be gone already.
 */
async function settle(
  place: Place,
  { keep, made, missing }: { keep: number | undefined; made: string; missing: readonly string[] },
  mark: MarkUnlisted,
  notices: string[],
): Promise<string[]> {
  const { removed, kept } =
    keep === undefined ? { removed: [], kept: undefined } : await choosePruned(place, keep, made)
  if (kept !== undefined) notices.push(`${kept} stays beside the newest ${keep}: none of these was found whole`)
  const there = await listSnapshots(place)
  const isOld = (name: string) => keep !== undefined && there.filter(other => other > name).length >= keep
  await mark([made, ...removed])
  await writeList(place, [...there.filter(name => !removed.includes(name)), ...missing.filter(name => !isOld(name))])
  for (const name of removed) await removeSnapshot(place, name)
  return removed
}

/** Takes a snapshot, which exists in the folder from then on. */
async function addSnapshot(deps: Deps, place: Place, options: BackupOptions, mark: MarkUnlisted): Promise<Taken> {
  const sharing = options.link ? 'link' : 'reflink'
  const bring = ({ key, ...content }: BlobRow) =>
    copyContent({ store: deps.store, key }, { store: place.contents, key: content.sha256 }, content, sharing)
  const taken = await takeSnapshot(
    deps,
    place,
    tables => saveBlobs(deps.db, place, partsOf({ tables }, 'blobs'), bring, options),
    options,
  )
  const { snapshot } = taken.manifest
  if (taken.secret?.secret) await saveSecret(place, taken.secret.secret)
  if ((await listSnapshots(place)).includes(snapshot)) throw new Error(`There is a snapshot ${snapshot} already`)
  await mark([snapshot])
  await saveManifest(place, { ...taken.manifest, format: listedFormat })
  return taken
}

async function backUp(deps: Deps, place: Place, options: BackupOptions): Promise<Backup> {
  const notices: string[] = []
  // Before the mark, because after an interrupted run the list may lack a snapshot.
  const { there, missing, problems } = await compareList(place)
  await cleanUp(place, notices)
  const known = [...there, ...missing]
  const isFirst = known.length === 0
  // What an interrupted run has left unlisted gets its line now: the mark of this one does not explain it.
  if (problems.length === 0 && !isFirst) await writeList(place, known)
  return withMark(place, { isFirst, notices }, async mark => {
    const damaged = await findEarlierDamage(place)
    const taken = await addSnapshot(deps, place, options, mark)
    // Now, because the new snapshot has brought again what it shares with earlier ones.
    const earlier = [...problems, ...missing.map(tellMissing), ...(await tellEarlierDamage(place, damaged))]
    const made = taken.manifest.snapshot
    const removed = await settle(place, { keep: options.keep, made, missing }, mark, notices)
    await trySweep(() => sweepPlace(place), notices)
    return { folder: place.folder, file: null, ...describe(taken), removed, earlier, notices }
  })
}

async function backUpToFile(deps: Deps, file: string, options: BackupOptions): Promise<Backup> {
  const taken = await writeFileBackup(deps, file, options)
  return { folder: null, file, ...describe(taken), removed: [], earlier: [], notices: [] }
}

async function backUpToFolder(deps: Deps, folder: string, options: BackupOptions): Promise<Backup> {
  const made = await makePlace(folder)
  const place = { ...made, contents: keepFloor(made.contents, await openFloor(deps, made.folder)) }
  return withLock(place.folder, () => backUp(deps, place, options))
}

function refuseOptions(path: string, { keep, link, replace }: BackupOptions): void {
  const isFile = isBackupFile(path)
  const flag = isFile ? (keep !== undefined ? '--keep' : link && '--link') : replace && '--replace'
  if (!flag) return
  const where = isFile ? 'a folder of backups, not for a file' : 'a backup into a file, which ends in .tar'
  throw new AppError('invalid_input', `${flag} is for ${where}`)
}

/**
 * Backs up to a folder, which is created if needed; contents from earlier backups are not copied again. A path that
 * ends in `.tar` is written as one file, completely or not at all. Throws as `withFiles`, `invalid_input` for a folder
 * of other things, and `in_use` when another process uses the folder or the file exists.
 */
export const runBackup = (flags: Flags, path: string, options: BackupOptions): Promise<Backup> =>
  withOldFiles(flags, async deps => {
    refuseOptions(path, options)
    const run = isBackupFile(path) ? backUpToFile : backUpToFolder
    const place = resolvePath(path)
    const backup = await run(deps, place, options)
    const { snapshot, items, contents } = backup
    const failure = await tellAudit(deps.db, 'backup.create', null, { snapshot, place, items, bytes: contents.bytes })
    return failure === null ? backup : { ...backup, notices: [...backup.notices, failure.message] }
  })
