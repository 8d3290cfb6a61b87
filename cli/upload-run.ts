/** What one run of `filestore upload` carries along, and what it does with each file. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ApiError, type Call } from '../src/api/client.ts'
import { type ConflictRule, getFileByPath } from '../src/api/files.ts'
import type { FileDetails, FileItem } from '../src/api/items.ts'
import type { MetadataValue } from '../src/api/metadata-values.ts'
import type { Attempts } from './attempts.ts'
import type { Server } from './client.ts'
import { printNotice } from './output.ts'
import type { Progress } from './progress.ts'
import { type Source, sendFile } from './upload-file.ts'

/** A folder on the server; one that a dry run would make has no id. */
export interface RemoteFolder {
  /** Null is the root. */
  id: number | null
  /** Empty for the root. */
  path: string
  /** Nothing can be in it yet. */
  isNew: boolean
}

/** One file to be uploaded. */
export interface UploadJob {
  source: Source
  name: string
  folder: RemoteFolder
  /** Its place among all results, for files end in another order than they begin. */
  order: number
}

/** What a dry run says of an item: what would become of it. */
export interface PlannedItem {
  action: 'create' | 'upload' | 'rename' | 'replace' | 'fail' | 'skip'
  path: string
  /** Bytes; null for a folder, and for a stream. */
  size: number | null
}

/** What came of the items, in the order in which they ended. */
type Results<Item> = { order: number; item: Item }[]

export interface UploadRun {
  server: Server
  call: Call
  /** For calls that may be made twice. */
  callRepeatable: Call
  onConflict: ConflictRule
  metadata: readonly MetadataValue[]
  isDry: boolean
  attempts: Attempts
  progress: Progress
  /** Everything that was made or is there already; of a dry run nothing. */
  made: Results<FileItem>
  /** All that a dry run would do. */
  planned: Results<PlannedItem>
  /** How many files were there already. */
  skipped: number
}

/** The results in the order in which they were asked for. */
export const inOrder = <Item>(results: Results<Item>): Item[] =>
  results.toSorted((one, other) => one.order - other.order).map(({ item }) => item)

const hasCode = (error: unknown, ...codes: string[]): boolean =>
  error instanceof ApiError && codes.includes(error.code ?? '')

/** What stands at a path; undefined for nothing, and where the key may not look. */
export async function findStanding({ call }: UploadRun, path: string): Promise<FileDetails | undefined> {
  try {
    return (await call(getFileByPath, { path: path.normalize('NFC') })).file
  } catch (error) {
    if (hasCode(error, 'not_found', 'forbidden')) return undefined
    throw error
  }
}

async function hashOf(content: Readable): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(content, hash)
  return hash.digest('hex')
}

/** Whether a file on the server has the very bytes; one that was rejected is to be sent again. */
async function isSame({ source }: UploadJob, file: FileDetails): Promise<boolean> {
  if (file.is_directory || file.size !== source.size || file.validation_status === 'rejected') return false
  return (await hashOf(source.open())) === file.sha256
}

function planOf({ onConflict }: UploadRun, standing: FileDetails | undefined): PlannedItem['action'] {
  if (standing === undefined) return 'upload'
  return onConflict === 'replace' && standing.is_directory ? 'fail' : onConflict
}

/** Uploads one file, unless the very bytes stand there under its name already, and notes what came of it. */
export async function uploadOne(run: UploadRun, job: UploadJob): Promise<void> {
  const { source, folder, name, order } = job
  const path = `${folder.path}/${name}`
  const canStand = !folder.isNew && source.size !== undefined
  const standing = canStand ? await findStanding(run, path) : undefined
  if (standing !== undefined && (await isSame(job, standing))) {
    run.skipped += 1
    if (run.isDry) run.planned.push({ order, item: { action: 'skip', path, size: standing.size } })
    else run.made.push({ order, item: standing })
  } else if (run.isDry) {
    const action = planOf(run, standing)
    run.planned.push({ order, item: { action, path, size: source.size ?? null } })
  } else {
    run.made.push({ order, item: await send(run, job) })
  }
}

async function send({ server, progress, onConflict, metadata }: UploadRun, job: UploadJob): Promise<FileDetails> {
  const { source, name, folder } = job
  const destination = { name, parentId: folder.id, onConflict, metadata }
  const file = await sendFile(server, source, destination, progress.open(source.label, source.size))
  if (file.name !== name.normalize('NFC')) {
    printNotice(`'${source.label}' is stored as '${file.name}', for its name was taken`)
  }
  return file
}
