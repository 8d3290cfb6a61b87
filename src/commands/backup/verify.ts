/** `filestore backup --verify`: whether all that the snapshots of a place name is there, and is what was saved. */
import { resolve } from 'node:path'
import type { Flags } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { withConfig } from '../open.ts'
import { type Content, type CopyOptions, checkContent, DamagedError } from './contents.ts'
import { withLock } from './lock.ts'
import { listSnapshots, type Manifest, type Part, readManifest } from './manifest.ts'
import { findPlace, isBackupFile, type Place } from './place.ts'
import { withFileBackup } from './read-file.ts'
import { type BlobRow, partsOf, readBlobs, readPart, type Saved } from './rows.ts'

interface VerifiedSnapshot {
  snapshot: string
  /** What is wrong, a sentence each: the first thousand, and how many there are. */
  problems: string[]
  problem_count: number
}

export interface Verification {
  /** What was read: one of the two. */
  folder: string | null
  file: string | null
  /** Contents that were read, rows and files alike, and their bytes. */
  contents: { count: number; bytes: number }
  snapshots: VerifiedSnapshot[]
}

const toldProblems = 1000

/** What is wrong with each content that is not what its name says. */
type Damages = ReadonlyMap<string, string>

async function findDamages({ contents }: Place, { signal, onBytes }: CopyOptions) {
  const damages = new Map<string, string>()
  const read = { count: 0, bytes: 0 }
  for await (const { key } of contents.list()) {
    signal.throwIfAborted()
    const size = (await contents.size(key)) ?? 0
    try {
      await checkContent(contents, key, { sha256: key, size })
    } catch (error) {
      if (!(error instanceof DamagedError)) throw error
      damages.set(key, error.message)
    }
    read.count += 1
    read.bytes += size
    onBytes(size)
  }
  return { damages, read }
}

/** What is wrong with a content, in two or three words; undefined where it is whole. */
async function problemOf(
  { contents }: Saved,
  damages: Damages,
  { sha256, size }: Content,
): Promise<string | undefined> {
  const found = await contents.size(sha256)
  if (found === null) return 'is missing'
  if (found !== size) return `has ${found} bytes instead of ${size}`
  return damages.get(sha256)
}

/** Names one file for each content, as far as the rows that tell can be read. */
async function nameFiles(place: Saved, manifest: Manifest, blobs: readonly BlobRow[]): Promise<Map<number, string>> {
  const wanted = new Set(blobs.map(({ id }) => id))
  const names = new Map<number, string>()
  for (const part of partsOf(manifest, 'files')) {
    if (names.size === wanted.size) break
    const rows = await readPart(place, part).catch(() => [])
    for (const { id, name, blob_id } of rows) {
      if (wanted.has(Number(blob_id))) names.set(Number(blob_id), `${name} (id:${id})`)
    }
  }
  return names
}

/** What was found in a part of the contents' rows; snapshots have most parts in common. */
interface CheckedPart {
  problem: string | undefined
  blobs: { blob: BlobRow; problem: string }[]
}

async function checkPart(place: Saved, damages: Damages, part: Part, isOfBlobs: boolean): Promise<CheckedPart> {
  const checked: CheckedPart = { problem: await problemOf(place, damages, part), blobs: [] }
  if (checked.problem !== undefined || !isOfBlobs) return checked
  for await (const blobs of readBlobs(place, [part])) {
    for (const blob of blobs) {
      const problem = await problemOf(place, damages, blob)
      if (problem !== undefined) checked.blobs.push({ blob, problem })
    }
  }
  return checked
}

/** Looks at each part once, whichever snapshots need it. */
function openChecks(place: Saved, damages: Damages) {
  const checked = new Map<string, Promise<CheckedPart>>()
  return (part: Part, isOfBlobs: boolean): Promise<CheckedPart> => {
    const found = checked.get(part.sha256) ?? checkPart(place, damages, part, isOfBlobs)
    checked.set(part.sha256, found)
    return found
  }
}

async function verifySnapshot(
  place: Saved,
  manifest: Manifest,
  check: ReturnType<typeof openChecks>,
): Promise<VerifiedSnapshot> {
  const problems: string[] = []
  const bad: CheckedPart['blobs'] = []
  for (const { name, parts } of manifest.tables) {
    for (const part of parts) {
      const { problem, blobs } = await check(part, name === 'blobs')
      if (problem !== undefined) problems.push(`rows of ${name}: blobs/${part.sha256} ${problem}`)
      bad.push(...blobs)
    }
  }
  const told = bad.slice(0, toldProblems)
  const names = await nameFiles(
    place,
    manifest,
    told.map(({ blob }) => blob),
  )
  for (const { blob, problem } of told) {
    problems.push(`${names.get(blob.id) ?? 'a file'}: ${blob.sha256} ${problem}`)
  }
  return {
    snapshot: manifest.snapshot,
    problems: problems.slice(0, toldProblems),
    problem_count: problems.length + bad.length - told.length,
  }
}

async function verifyPlace(place: Place, options: CopyOptions): Promise<Verification> {
  const names = await listSnapshots(place)
  if (names.length === 0) throw new AppError('not_found', `No backup in ${place.folder} has come to its end yet`)
  const { damages, read } = await findDamages(place, options)
  const check = openChecks(place, damages)
  const snapshots: VerifiedSnapshot[] = []
  for (const name of names) {
    const manifest = await readManifest(place, name).catch((error: Error) => error)
    const isRead = !(manifest instanceof Error)
    snapshots.push(
      isRead
        ? await verifySnapshot(place, manifest, check)
        : { snapshot: name, problems: [manifest.message], problem_count: 1 },
    )
  }
  return { folder: place.folder, file: null, contents: read, snapshots }
}

const verifyFile = (file: string, options: CopyOptions): Promise<Verification> =>
  withFileBackup(file, options, async backup => {
    const check = openChecks(backup, backup.damages)
    const snapshot = await verifySnapshot(backup, backup.manifest, check)
    return { folder: null, file, contents: backup.read, snapshots: [snapshot] }
  })

/**
 * Reads all that a place or a file holds, and changes nothing. Throws as `withConfig`, `invalid_input` where none is,
 * `not_found` where a place has no snapshot, and `in_use` where another process is at work in it.
 */
export const verifyBackups = (flags: Flags, path: string, options: CopyOptions): Promise<Verification> =>
  withConfig(flags, async () => {
    if (isBackupFile(path)) return verifyFile(resolve(path), options)
    const place = await findPlace(resolve(path))
    return withLock(place.folder, () => verifyPlace(place, options))
  })
