/** `filestore backup --verify`: whether all that the snapshots of a place name is there, and is what was saved. */
import { resolve } from 'node:path'
import type { Flags } from '../../config.ts'
import { AppError } from '../../errors.ts'
import { withConfig } from '../open.ts'
import { type Content, type CopyOptions, checkContent, DamagedError } from './contents.ts'
import { withLock } from './lock.ts'
import { listSnapshots, type Manifest, type Part, readManifest } from './manifest.ts'
import { findPlace, type Place } from './place.ts'
import { type BlobRow, partsOf, readBlobs, readPart } from './rows.ts'

interface VerifiedSnapshot {
  snapshot: string
  /** What is wrong, a sentence each: the first thousand, and how many there are. */
  problems: string[]
  problem_count: number
}

export interface Verification {
  folder: string
  /** Contents that were read, rows and files alike, and their bytes. */
  contents: { count: number; bytes: number }
  snapshots: VerifiedSnapshot[]
}

const toldProblems = 1000

/** What is wrong with each content that is not what its name says. */
type Damages = Map<string, string>

async function findDamages({ contents }: Place, { signal, onBytes }: CopyOptions) {
  const damages: Damages = new Map()
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
  { contents }: Place,
  damages: Damages,
  { sha256, size }: Content,
): Promise<string | undefined> {
  const found = await contents.size(sha256)
  if (found === null) return 'is missing'
  if (found !== size) return `has ${found} bytes instead of ${size}`
  return damages.get(sha256)
}

/** Names one file for each content, as far as the rows that tell can be read. */
async function nameFiles(place: Place, manifest: Manifest, blobs: readonly BlobRow[]): Promise<Map<number, string>> {
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

async function checkPart(place: Place, damages: Damages, part: Part, isOfBlobs: boolean): Promise<CheckedPart> {
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
function openChecks(place: Place, damages: Damages) {
  const checked = new Map<string, Promise<CheckedPart>>()
  return (part: Part, isOfBlobs: boolean): Promise<CheckedPart> => {
    const found = checked.get(part.sha256) ?? checkPart(place, damages, part, isOfBlobs)
    checked.set(part.sha256, found)
    return found
  }
}

async function verifySnapshot(
  place: Place,
  snapshot: string,
  check: ReturnType<typeof openChecks>,
): Promise<VerifiedSnapshot> {
  const manifest = await readManifest(place, snapshot).catch((error: Error) => error)
  if (manifest instanceof Error) return { snapshot, problems: [manifest.message], problem_count: 1 }
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
    snapshot,
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
  for (const name of names) snapshots.push(await verifySnapshot(place, name, check))
  return { folder: place.folder, contents: read, snapshots }
}

/**
 * Reads all that a place holds, and changes nothing. Throws as `withConfig`, `invalid_input` where none is, `not_found`
 * where it has no snapshot, and `in_use` where another process is at work in it.
 */
export const verifyBackups = (flags: Flags, folder: string, options: CopyOptions): Promise<Verification> =>
  withConfig(flags, async () => {
    const place = await findPlace(resolve(folder))
    return withLock(place.folder, () => verifyPlace(place, options))
  })
