/** The manifest of a snapshot: its schema, writing it atomically, and finding it. */
import { createHash, randomUUID } from 'node:crypto'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { AppError } from '../../base/errors.ts'
import { readText } from '../../base/read-text.ts'
import { syncFolder } from '../../base/sync-folder.ts'
import { refuseUnknown } from '../../db/migrations-table.ts'
import type { Place } from './place.ts'
import { unclearTable } from './unclear.ts'

/**
 * The version of manifest and rows. A filestore reads all versions up to the newest. The snapshots of a folder with a
 * list (snapshot-list.ts) have the second, which is the first otherwise; so the list is missed if somebody deletes it.
 */
export const firstFormat = 1
export const listedFormat = 2

const count = z.int().check(z.nonnegative())

const part = z.object({
  sha256: z.string(),
  /** Bytes as stored, compressed. */
  size: count,
  rows: count,
})

/** Rows have keys, so that no two parts of a table are the same. */
const table = z
  .object({
    name: z.string(),
    rows: count,
    /** The highest id ever assigned, so that none is reused; null when the table has no counter. */
    last_id: z.nullable(z.int()),
    parts: z.array(part),
  })
  .check(
    z.refine(({ rows, parts }) => rows === parts.reduce((sum, one) => sum + one.rows, 0)),
    z.refine(({ parts }) => new Set(parts.map(({ sha256 }) => sha256)).size === parts.length),
  )

/** Tables of a snapshot; all versions together have had fewer. */
const maxTables = 1000

const manifest = z.object({
  format: z.literal([firstFormat, listedFormat]),
  /** Also the name of the manifest's file. */
  snapshot: z.string(),
  /** ISO, UTC: the time that the rows show. */
  time: z.string(),
  /** The version of the filestore that wrote it, and its database. */
  version: z.string(),
  dialect: z.enum(['sqlite', 'mariadb']),
  /** The migrations that had run; they define the tables. */
  migrations: z.array(z.string()),
  tables: z.array(table).check(
    z.maxLength(maxTables),
    z.refine(tables => new Set(tables.map(({ name }) => name)).size === tables.length),
  ),
  /** Contents outside the rows: their number and total bytes. */
  contents: z.object({ count, bytes: count }),
  /** How many of these the server itself had lost. */
  lost: count,
  /** The mark of the server's secret, and whether the environment gave it; absent if the server had none yet. */
  secret: z.optional(z.object({ mark: z.int(), is_given: z.boolean() })),
  /** Absent when the database had no damage. */
  damage: z.optional(
    z.object({
      /** Damage of rows and of the database, together. */
      count: z.int(),
      /** What the database's own check found, one sentence each. */
      found: z.array(z.string()),
      /** About what a restore takes the safe side; absent if nothing is unclear. */
      unclear: z.optional(z.array(unclearTable)),
    }),
  ),
})

export type Part = z.infer<typeof part>
export type TableParts = z.infer<typeof table>
export type Manifest = z.infer<typeof manifest>

/**
 * Whether the server's data was complete and intact when the snapshot was taken. Without migrations it has no tables:
 * earlier versions made such snapshots of a database that had lost the list of them, and found no damage.
 */
export const wasWhole = ({ lost, damage, migrations }: Manifest): boolean =>
  lost === 0 && damage === undefined && migrations.length > 0

const digestOf = (content: Manifest): string => createHash('sha256').update(JSON.stringify(content)).digest('hex')

/** `2026-05-31T170405.123Z`: sorts by time, and is a valid name on every file system. */
export const snapshotName = (time: Date): string => time.toISOString().replaceAll(':', '')
export const isSnapshotName = (text: string): boolean => /^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/.test(text)

const suffix = '.json'
const pathOf = (place: Place, name: string): string => join(place.snapshots, name + suffix)

/** The text of a manifest, with a digest that shows whether it is intact. */
export const formatManifest = (content: Manifest): string =>
  `${JSON.stringify({ ...content, digest: digestOf(content) })}\n`

/** Writes a file of a backup folder atomically. */
export async function writeWhole(place: Place, path: string, text: string): Promise<void> {
  const draft = join(place.snapshots, `${randomUUID()}.unfinished`)
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncFolder(dirname(path))
}

/** Writes the manifest; from then on the snapshot exists. */
export const saveManifest = (place: Place, content: Manifest): Promise<void> =>
  writeWhole(place, pathOf(place, content.snapshot), formatManifest(content))

/** Removes drafts left by interrupted runs. */
export async function removeDrafts(place: Place): Promise<void> {
  const drafts = (await readdir(place.snapshots)).filter(name => name.endsWith('.unfinished'))
  for (const name of drafts) await rm(join(place.snapshots, name), { force: true })
}

export async function removeSnapshot(place: Place, name: string): Promise<void> {
  await rm(pathOf(place, name))
  await syncFolder(place.snapshots)
}

/** The names of all snapshots, oldest first. */
export async function listSnapshots(place: Place): Promise<string[]> {
  const names = (await readdir(place.snapshots)).filter(name => name.endsWith(suffix))
  return names.map(name => name.slice(0, -suffix.length)).sort()
}

/** Throws when the manifest is damaged, and `unavailable` when a newer filestore wrote it. */
export function parseManifest(name: string, text: string): Manifest {
  const damaged = (cause: unknown) => new Error(`The manifest of the snapshot ${name} is damaged`, { cause })
  let read: { format?: unknown; digest?: unknown }
  try {
    read = JSON.parse(text)
  } catch (error) {
    throw damaged(error)
  }
  if (typeof read.format === 'number' && read.format > listedFormat) {
    throw new AppError('unavailable', `The snapshot ${name} was made by a newer filestore: use that version`)
  }
  const parsed = manifest.safeParse(read)
  if (!parsed.success || digestOf(parsed.data) !== read.digest) throw damaged(parsed.error)
  // Intact, but of another snapshot.
  if (parsed.data.snapshot !== name) throw damaged(`it is that of ${parsed.data.snapshot}`)
  return parsed.data
}

/** Throws `unavailable` when the tables are those of a newer filestore. */
export const refuseNewer = ({ migrations }: Manifest): void =>
  refuseUnknown(migrations, { leastSchema: null, mayBeNewer: false })

/** Reads a manifest. Throws as `parseManifest` and `readText`. */
export const readManifest = async (place: Place, name: string): Promise<Manifest> =>
  parseManifest(name, await readText(pathOf(place, name)))

/** Finds a snapshot by the start of its name, else the newest. Throws `not_found`, `invalid_input`. */
export async function chooseSnapshot(place: Place, wanted: string | undefined): Promise<string> {
  const names = await listSnapshots(place)
  const newest = names.at(-1)
  if (newest === undefined) throw new AppError('not_found', `There is no complete backup in ${place.folder} yet`)
  if (wanted === undefined) return newest
  const [first, ...others] = names.filter(name => name === wanted || name.startsWith(wanted.replaceAll(':', '')))
  if (first === undefined)
    throw new AppError('not_found', `No snapshot is called ${wanted}: there are ${names.join(', ')}`)
  if (others.length === 0) return first
  throw new AppError('invalid_input', `Several snapshots begin with ${wanted}: ${[first, ...others].join(', ')}`)
}
