/** The state of one run of `filestore upload`, and what it does with each file. */
import { callByPath } from '../src/api/by-path.ts'
import { ApiError, type Call } from '../src/api/client.ts'
import { type ConflictRule, setFileMetadata } from '../src/api/files.ts'
import type { FileDetails, FileItem } from '../src/api/items.ts'
import type { MetadataValue } from '../src/api/metadata-values.ts'
import { numberedForm } from '../src/api/names.ts'
import { printNotice } from '../terminal/output.ts'
import type { Progress } from '../terminal/progress.ts'
import type { Attempts } from './attempts.ts'
import { createSingleCall, type Server } from './client.ts'
import { hashOf } from './hash.ts'
import { type Source, sendFile } from './upload-file.ts'
import { isInPieces, sendInPieces } from './upload-pieces.ts'

/** A folder on the server. A folder that a dry run would create has no id. */
export interface RemoteFolder {
  /** Null is the root. */
  id: number | null
  /** As a person types it; empty for the root. */
  path: string
  /** The names of the folders from the run's target down to this one; empty for the target. */
  names: readonly string[]
  /** Whether it was just created, so that nothing can be in it. */
  isNew: boolean
}

/** One file to upload. */
export interface UploadJob {
  source: Source
  name: string
  folder: RemoteFolder
  /** Its place among all results, because files do not end in the order in which they start. */
  order: number
}

/** What a dry run would do with an item. */
export interface PlannedItem {
  action: 'create' | 'upload' | 'rename' | 'replace' | 'fail' | 'skip'
  path: string
  /** Bytes; null for a folder and for a stream. */
  size: number | null
}

/** The results of the items, in the order in which they ended. */
type Results<Item> = { order: number; item: Item }[]

export interface UploadRun {
  server: Server
  call: Call
  /** Like `call`, for calls that may be made twice. */
  callRepeatable: Call
  /** The folder that everything goes into. */
  target: RemoteFolder
  onConflict: ConflictRule
  metadata: readonly MetadataValue[]
  isDry: boolean
  attempts: Attempts
  progress: Progress
  /** The large files that are on their way. */
  onTheWay: Set<string>
  /** Everything that was created or already there; empty for a dry run. */
  made: Results<FileItem>
  /** Everything that a dry run would do. */
  planned: Results<PlannedItem>
  /** The number of files that were already there. */
  skipped: number
}

/** Returns the results in the order in which they were requested. */
export const inOrder = <Item>(results: Results<Item>): Item[] =>
  results.toSorted((one, other) => one.order - other.order).map(({ item }) => item)

const hasCode = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code

/** Returns the item of a name in a folder, or undefined if there is none. */
async function findIn(call: Call, folder: RemoteFolder, name: string): Promise<FileDetails | undefined> {
  try {
    return (await callByPath(call, `/${name}`.normalize('NFC'), folder.id)).file
  } catch (error) {
    if (hasCode(error, 'not_found')) return undefined
    throw error
  }
}

/** Returns the item of a name in a folder, or undefined if there is none or the user may not look. */
export async function findStanding(
  run: UploadRun,
  folder: RemoteFolder,
  name: string,
): Promise<FileDetails | undefined> {
  try {
    return await findIn(run.call, folder, name)
  } catch (error) {
    if (hasCode(error, 'forbidden')) return undefined
    throw error
  }
}

/** Whether a file on the server has the same bytes. A rejected file counts as different, so that it is sent again. */
async function isSame({ server }: UploadRun, { source }: UploadJob, file: FileDetails): Promise<boolean> {
  if (file.is_directory || file.size !== source.size || file.validation_status === 'rejected') return false
  return (await hashOf(source.open(), server.signal)) === file.sha256
}

/** Whether the user may look at items in the folder; true if the server does not say. */
export async function mayLook({ server }: UploadRun, { folder, name }: UploadJob): Promise<boolean> {
  try {
    await findIn(createSingleCall(server), folder, name)
    return true
  } catch (error) {
    server.signal.throwIfAborted()
    return !hasCode(error, 'forbidden')
  }
}

/** Yields a name, then the numbered names that a file gets in turn if it is taken. */
function* namesOf(name: string): Generator<string> {
  yield name
  for (let digits = 1; ; digits += 1) {
    const { before, after, first, end } = numberedForm(name.normalize('NFC'), false, digits)
    for (let number = first; number < end; number += 1) yield before + number + after
  }
}

/** Looks once for a file whose upload lost its answer, under every name that the conflict rule may have given it. */
export async function findArrived(run: UploadRun, job: UploadJob): Promise<FileDetails | undefined> {
  const call = createSingleCall(run.server)
  for (const name of namesOf(job.name)) {
    const standing = await findIn(call, job.folder, name)
    if (standing === undefined || (await isSame(run, job, standing))) return standing
    // With `fail`, an item with other bytes is a conflict: send the file again, so that the server refuses it.
    if (run.onConflict === 'fail') return undefined
  }
}

/** Sets the given metadata on a file that was already there, unless it has these values. */
async function addMetadata({ call, metadata }: UploadRun, file: FileDetails): Promise<FileDetails> {
  const has = ({ field_id, value }: MetadataValue) =>
    file.metadata.some(entry => entry.field_id === field_id && entry.value === value)
  if (metadata.every(has)) return file
  return (await call(setFileMetadata, { id: file.id, metadata: [...metadata] })).file
}

function planOf({ onConflict }: UploadRun, standing: FileDetails | undefined): PlannedItem['action'] {
  if (standing === undefined) return 'upload'
  return onConflict === 'replace' && standing.is_directory ? 'fail' : onConflict
}

/** A file, and what the server has under its name; or why that is unknown. */
export type Looked = { job: UploadJob } & (
  | { standing: FileDetails | undefined; isSame: boolean }
  | { failure: unknown }
)

/** Looks whether the same bytes are already there under the file's name. */
export async function look(run: UploadRun, job: UploadJob): Promise<Looked> {
  const { source, folder, name } = job
  const canStand = !folder.isNew && source.size !== undefined
  try {
    const standing = canStand ? await findStanding(run, folder, name) : undefined
    return { job, standing, isSame: standing !== undefined && (await isSame(run, job, standing)) }
  } catch (failure) {
    return { job, failure }
  }
}

/** Uploads one file, unless the same bytes are already there, and records the result. */
export async function uploadOne(run: UploadRun, looked: Looked): Promise<void> {
  if ('failure' in looked) throw looked.failure
  const { job, standing, isSame } = looked
  const { source, folder, name, order } = job
  const path = `${folder.path}/${name}`
  if (standing !== undefined && isSame) {
    if (run.isDry) run.planned.push({ order, item: { action: 'skip', path, size: standing.size } })
    else run.made.push({ order, item: await addMetadata(run, standing) })
    run.skipped += 1
  } else if (run.isDry) {
    const action = planOf(run, standing)
    run.planned.push({ order, item: { action, path, size: source.size ?? null } })
  } else await sendOne(run, job)
}

/** Sends a file by itself. `lost` is the failure of an earlier request with it, if that may have arrived. */
export async function sendOne(run: UploadRun, job: UploadJob, lost?: unknown): Promise<void> {
  const { server, progress, onConflict, metadata } = run
  const { source, name, folder } = job
  const destination = { name, parentId: folder.id, onConflict, metadata }
  const transfer = progress.open(source.label, source.size)
  if (isInPieces(source)) {
    const file = await sendInPieces(server, source, destination, transfer, run.onTheWay)
    if (file !== undefined) return recordSent(run, job, file)
  }
  let arrived: FileDetails | undefined
  const sent = await sendFile(server, source, destination, transfer, {
    mayLook: () => mayLook(run, job),
    findArrived: async () => {
      arrived = await findArrived(run, job)
      return arrived
    },
    lost,
  })
  if (arrived === undefined) recordSent(run, job, sent)
  else await recordArrived(run, job, arrived)
}

/** Records a file that was found after a lost answer. The same bytes may have been there before, without metadata. */
export async function recordArrived(run: UploadRun, job: UploadJob, arrived: FileDetails): Promise<void> {
  recordSent(run, job, await addMetadata(run, arrived))
}

/** Records a stored file, and says so if it has another name. */
export function recordSent(run: UploadRun, { source, name, order }: UploadJob, file: FileDetails): void {
  run.made.push({ order, item: file })
  if (file.name === name.normalize('NFC')) return
  // A drop box puts the user's name in front.
  const isHandedIn = file.place !== null && file.name.startsWith(`${file.owner_name} - `)
  printNotice(`'${source.label}' is stored as '${file.name}'${isHandedIn ? '' : ', for its name was taken'}`)
}
