/** The manifest of a snapshot: what it says, how it is written at one stroke, and how it is found again. */
import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { AppError } from '../../base/errors.ts'
import { syncFolder } from '../../blobs/sync-folder.ts'
import type { Place } from './place.ts'

/** Of the form of manifest and rows; a filestore reads its own and all before it. */
const format = 1

const part = z.object({
  sha256: z.string(),
  /** Bytes as they lie there, compressed. */
  size: z.int(),
  rows: z.int(),
})

const table = z.object({
  name: z.string(),
  rows: z.int(),
  /** The highest id ever given, so that none is given again; null where none are counted. */
  last_id: z.nullable(z.int()),
  parts: z.array(part),
})

const manifest = z.object({
  format: z.literal(format),
  /** Its name too, and the file's. */
  snapshot: z.string(),
  /** ISO, UTC; the rows are as they were then. */
  time: z.string(),
  /** The filestore that wrote it, and on which database. */
  version: z.string(),
  dialect: z.enum(['sqlite', 'mariadb']),
  /** Those that had run: the tables are as these make them. */
  migrations: z.array(z.string()),
  tables: z.array(table),
  /** Files' bytes outside of the rows: how many contents, and their bytes together. */
  contents: z.object({ count: z.int(), bytes: z.int() }),
  /** How many of these the server itself had lost. */
  lost: z.int(),
  /** Absent where nothing was found wrong with the database that it was made of. */
  damage: z.optional(
    z.object({
      /** Of rows and of the database itself, together. */
      count: z.int(),
      /** What the database itself found, a sentence each. */
      found: z.array(z.string()),
    }),
  ),
})

export type Part = z.infer<typeof part>
export type TableParts = z.infer<typeof table>
export type Manifest = z.infer<typeof manifest>

/** Whether the server had all that belongs into it when it was taken. */
export const wasWhole = ({ lost, damage }: Manifest): boolean => lost === 0 && damage === undefined

const digestOf = (content: Manifest): string => createHash('sha256').update(JSON.stringify(content)).digest('hex')

/** `2026-05-31T170405.123Z`: sorts by time, and every file system takes it. */
export const snapshotName = (time: Date): string => time.toISOString().replaceAll(':', '')

const suffix = '.json'
const pathOf = (place: Place, name: string): string => join(place.snapshots, name + suffix)

/** The document of a manifest, with which it can tell whether it is whole. */
export const formatManifest = (content: Manifest): string =>
  `${JSON.stringify({ ...content, digest: digestOf(content) })}\n`

/** Writes it whole or not at all; from then on the snapshot is one. */
export async function saveManifest(place: Place, content: Manifest): Promise<void> {
  const draft = join(place.snapshots, `${randomUUID()}.unfinished`)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(formatManifest(content))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, pathOf(place, content.snapshot))
  await syncFolder(place.snapshots)
}

/** Removes what a cut run left of one. */
export async function removeDrafts(place: Place): Promise<void> {
  const drafts = (await readdir(place.snapshots)).filter(name => name.endsWith('.unfinished'))
  for (const name of drafts) await rm(join(place.snapshots, name), { force: true })
}

export async function removeSnapshot(place: Place, name: string): Promise<void> {
  await rm(pathOf(place, name))
  await syncFolder(place.snapshots)
}

/** The names of all snapshots, the oldest first. */
export async function listSnapshots(place: Place): Promise<string[]> {
  const names = (await readdir(place.snapshots)).filter(name => name.endsWith(suffix))
  return names.map(name => name.slice(0, -suffix.length)).sort()
}

/** Throws where it is damaged, and `unavailable` where a newer filestore wrote it. */
export function parseManifest(name: string, text: string): Manifest {
  const damaged = (cause: unknown) => new Error(`The manifest of the snapshot ${name} is damaged`, { cause })
  let read: { format?: unknown; digest?: unknown }
  try {
    read = JSON.parse(text)
  } catch (error) {
    throw damaged(error)
  }
  if (typeof read.format === 'number' && read.format > format) {
    throw new AppError('unavailable', `The snapshot ${name} was made by a newer filestore: use that one`)
  }
  const parsed = manifest.safeParse(read)
  if (!parsed.success || digestOf(parsed.data) !== read.digest) throw damaged(parsed.error)
  return parsed.data
}

/** Reads one. Throws as `parseManifest`. */
export const readManifest = async (place: Place, name: string): Promise<Manifest> =>
  parseManifest(name, await readFile(pathOf(place, name), 'utf8'))

/** The snapshot that a person means by the beginning of its name, else the newest. Throws `not_found`, `invalid_input`. */
export async function chooseSnapshot(place: Place, wanted: string | undefined): Promise<string> {
  const names = await listSnapshots(place)
  const newest = names.at(-1)
  if (newest === undefined) throw new AppError('not_found', `No backup in ${place.folder} has come to its end yet`)
  if (wanted === undefined) return newest
  const [first, ...others] = names.filter(name => name === wanted || name.startsWith(wanted.replaceAll(':', '')))
  if (first === undefined)
    throw new AppError('not_found', `No snapshot is called ${wanted}: there are ${names.join(', ')}`)
  if (others.length === 0) return first
  throw new AppError('invalid_input', `Several snapshots begin with ${wanted}: ${[first, ...others].join(', ')}`)
}
