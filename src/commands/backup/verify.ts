/** `filestore backup --verify`: checks that everything the snapshots name is there and intact. */
import { AppError } from '../../base/errors.ts'
import { resolvePath } from '../../base/process-context.ts'
import type { Flags } from '../../config-options.ts'
import { addTold, isDamagedId, lastIdsOf, type ToldIds, titleLastId } from '../../db/last-ids.ts'
import { completeNames } from '../../db/migrations-table.ts'
import { withConfig } from '../open.ts'
import { type BadBlob, type Checks, openChecks } from './check-parts.ts'
import type { CopyOptions } from './contents.ts'
import { findDamages } from './damages.ts'
import { withLock } from './lock.ts'
import { listSnapshots, type Manifest, type Part, readManifest, refuseNewer } from './manifest.ts'
import { findPlace, isBackupFile, type Place } from './place.ts'
import {
  addFound,
  addNewProblems,
  addProblems,
  type Found,
  noProblems,
  nothingFound,
  type Problems,
  roomFor,
  roomIn,
  shorten,
} from './problems.ts'
import { withFileBackup } from './read-file.ts'
import { openRelationCheck } from './relations.ts'
import { partsOf, readRows, type Saved } from './rows.ts'
import { type FindKept, keptInFolder, tellSecret } from './secret.ts'
import { compareList, tellMissing } from './snapshot-list.ts'
import { tellGap, tellTablesOf } from './table-check.ts'

interface VerifiedSnapshot extends Problems {
  snapshot: string
  /** Why only a newer filestore can restore it; null if this one can. */
  newer: string | null
}

export interface Verification {
  /** The backup that was read: exactly one of the two is set. */
  folder: string | null
  file: string | null
  /** Contents read, rows and files alike, and their bytes. */
  contents: { count: number; bytes: number }
  /** Those that were deleted by hand too. */
  snapshots: VerifiedSnapshot[]
  /** What is wrong with the folder's list of snapshots, one sentence each. */
  problems: string[]
}

/** Names one file for each content, as far as the rows are readable. */
async function nameFiles(place: Saved, manifest: Manifest, blobs: readonly BadBlob[]): Promise<Map<number, string>> {
  const wanted = new Set(blobs.map(({ id }) => id))
  const names = new Map<number, string>()
  for (const part of partsOf(manifest, 'files')) {
    if (names.size === wanted.size) break
    const rows = await readRows(place, part).catch(() => [])
    for (const { id, name, blob_id } of rows) {
      if (wanted.has(Number(blob_id))) names.set(Number(blob_id), shorten(`${name} (id:${id})`))
    }
  }
  return names
}

/** The counters of an older filestore's snapshot that are below an assigned id. */
const tellLastIds = ({ tables }: Manifest, told: ToldIds): string[] =>
  lastIdsOf(tables, told).filter(isDamagedId).map(titleLastId)

/** All contents that a snapshot lacks, small ones included; problems of rows are added to `problems`. */
async function findBadBlobs(manifest: Manifest, checks: Checks, problems: Problems): Promise<Found<BadBlob>> {
  const forms = await checks.formsOf(manifest)
  addNewProblems(problems, [...tellGap(completeNames(manifest.migrations)), ...tellTablesOf(forms, manifest)])
  const bad: Found<BadBlob> = nothingFound()
  const readable = new Map<string, Part[]>()
  const ids: ToldIds = new Map()
  const relations = openRelationCheck(forms)
  for (const { name, parts } of manifest.tables) {
    const whole: Part[] = []
    readable.set(name, whole)
    for (const part of parts) {
      const room = { sentences: roomIn(problems), blobs: Math.min(roomIn(problems), roomFor(bad)) }
      const found = await checks.check(part, { name, form: forms.get(name) }, room)
      const { problem, columns, rows } = found
      if (problem !== undefined) addProblems(problems, [`rows of ${name}: blobs/${part.sha256} ${problem}`])
      else whole.push(part)
      addNewProblems(problems, columns.problems, columns.problem_count)
      addProblems(problems, rows.problems, rows.problem_count)
      relations.add(name, found.relations)
      for (const [table, id] of found.told) addTold(ids, table, id)
      addFound(bad, found.blobs)
    }
  }
  addNewProblems(problems, relations.find())
  addProblems(problems, tellLastIds(manifest, ids))
  const [blobs, bytes] = [readable.get('blobs') ?? [], readable.get('blob_bytes') ?? []]
  addFound(bad, await checks.findInlineLosses(blobs, bytes, Math.min(roomIn(problems), roomFor(bad))))
  return bad
}

/** The words with which `restore` refuses a newer filestore's snapshot; null if it does not. */
function tellNewer(manifest: Manifest): string | null {
  try {
    refuseNewer(manifest)
    return null
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

async function verifySnapshot(
  place: Saved & { findSecret: FindKept },
  manifest: Manifest,
  checks: Checks,
): Promise<VerifiedSnapshot> {
  const problems = noProblems()
  // List the database's own findings. Those about rows appear again below.
  addProblems(problems, manifest.damage?.found ?? [])
  addProblems(problems, await tellSecret(manifest, place.findSecret))
  const { first, count } = await findBadBlobs(manifest, checks, problems)
  const names = await nameFiles(place, manifest, first)
  const sentences = first.map(({ id, sha256, problem }) => `${names.get(id) ?? 'a file'}: ${sha256} ${problem}`)
  addProblems(problems, sentences, count)
  return { snapshot: manifest.snapshot, newer: tellNewer(manifest), ...problems }
}

/** A snapshot whose manifest cannot be read. An AppError says that a newer filestore wrote it. */
const tellUnread = (snapshot: string, error: Error): VerifiedSnapshot =>
  error instanceof AppError
    ? { snapshot, newer: error.message, ...noProblems() }
    : { snapshot, newer: null, problems: [error.message], problem_count: 1 }

async function verifyPlace(place: Place, options: CopyOptions): Promise<Verification> {
  const names = await listSnapshots(place)
  const { missing, problems } = await compareList(place)
  if (names.length + missing.length === 0)
    throw new AppError('not_found', `There is no complete backup in ${place.folder} yet`)
  const { damages, read } = await findDamages(place, options)
  const checks = openChecks(place, damages, options.signal)
  const snapshots: VerifiedSnapshot[] = []
  for (const name of names) {
    const manifest = await readManifest(place, name).catch((error: Error) => error)
    snapshots.push(
      manifest instanceof Error
        ? tellUnread(name, manifest)
        : await verifySnapshot({ ...place, findSecret: keptInFolder(place) }, manifest, checks),
    )
  }
  for (const name of missing) snapshots.push(tellUnread(name, new Error(tellMissing(name))))
  snapshots.sort((one, other) => (one.snapshot < other.snapshot ? -1 : 1))
  return { folder: place.folder, file: null, contents: read, snapshots, problems }
}

const verifyFile = (file: string, options: CopyOptions): Promise<Verification> =>
  withFileBackup(file, options, async backup => {
    const checks = openChecks(backup, backup.damages, options.signal)
    const snapshot = await verifySnapshot(backup, backup.manifest, checks)
    // `restore` refuses a file with any damage.
    const [unnamed] = snapshot.problems.length === 0 ? backup.damages : []
    const problems = unnamed === undefined ? [] : [`blobs/${unnamed.join(' ')}, although nothing names it`]
    return { folder: null, file, contents: backup.read, snapshots: [snapshot], problems }
  })

/**
 * Reads everything in a backup folder or file, and changes nothing. Throws as `withConfig`, `invalid_input` when there
 * is no backup, `not_found` for a folder without a snapshot, and `in_use` when another process uses it.
 */
export const verifyBackups = (flags: Flags, path: string, options: CopyOptions): Promise<Verification> =>
  withConfig(flags, async () => {
    if (isBackupFile(path)) return verifyFile(resolvePath(path), options)
    const place = await findPlace(resolvePath(path))
    return withLock(place.folder, () => verifyPlace(place, options))
  })
