/** What one run of `filestore upload` carries along, and what it does with each file. */
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

const hasCode = (error: unknown, code: string): boolean => error instanceof ApiError && error.code === code

/** What stands at a path; undefined for nothing. */
async function findAt(call: Call, path: string): Promise<FileDetails | undefined> {
  try {
    return (await callByPath(call, path.normalize('NFC'))).file
  } catch (error) {
    if (hasCode(error, 'not_found')) return undefined
    throw error
  }
}

/** What stands at a path; undefined for nothing, and where the key may not look. */
export async function findStanding(run: UploadRun, path: string): Promise<FileDetails | undefined> {
  try {
    return await findAt(run.call, path)
  } catch (error) {
    if (hasCode(error, 'forbidden')) return undefined
    throw error
  }
}

/** Whether a file on the server has the very bytes; one that was rejected is to be sent again. */
async function isSame({ server }: UploadRun, { source }: UploadJob, file: FileDetails): Promise<boolean> {
  if (file.is_directory || file.size !== source.size || file.validation_status === 'rejected') return false
  return (await hashOf(source.open(), server.signal)) === file.sha256
}

/** Whether the key may look at what is on the server; true where the server does not say. */
async function mayLook({ server }: UploadRun, { folder, name }: UploadJob): Promise<boolean> {
  try {
    await findAt(createSingleCall(server), `${folder.path}/${name}`)
    return true
  } catch (error) {
    server.signal.throwIfAborted()
    return !hasCode(error, 'forbidden')
  }
}

/** A name and the numbered ones that a file gets, one after the other, where it is taken. */
function* namesOf(name: string): Generator<string> {
  yield name
  for (let digits = 1; ; digits += 1) {
    const { before, after, first, end } = numberedForm(name.normalize('NFC'), false, digits)
    for (let number = first; number < end; number += 1) yield before + number + after
  }
}

/** Looks once whether a file has arrived whose answer was lost: under any name that the rule for taken ones gives it. */
async function findArrived(run: UploadRun, job: UploadJob): Promise<FileDetails | undefined> {
  const call = createSingleCall(run.server)
  for (const name of namesOf(job.name)) {
    const standing = await findAt(call, `${job.folder.path}/${name}`)
    if (standing === undefined || (await isSame(run, job, standing))) return standing
    // Under another name it would be another file: the server is to refuse this one.
    if (run.onConflict === 'fail') return undefined
  }
}

/** Gives a file that stands there already the values that came with it, unless it has them. */
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

/** Uploads one file, unless the very bytes stand there under its name already, and notes what came of it. */
export async function uploadOne(run: UploadRun, job: UploadJob): Promise<void> {
  const { source, folder, name, order } = job
  const path = `${folder.path}/${name}`
  const canStand = !folder.isNew && source.size !== undefined
  const standing = canStand ? await findStanding(run, path) : undefined
  if (standing !== undefined && (await isSame(run, job, standing))) {
    if (run.isDry) run.planned.push({ order, item: { action: 'skip', path, size: standing.size } })
    else run.made.push({ order, item: await addMetadata(run, standing) })
    run.skipped += 1
  } else if (run.isDry) {
    const action = planOf(run, standing)
    run.planned.push({ order, item: { action, path, size: source.size ?? null } })
  } else {
    run.made.push({ order, item: await send(run, job) })
  }
}

async function send(run: UploadRun, job: UploadJob): Promise<FileDetails> {
  const { server, progress, onConflict, metadata } = run
  const { source, name, folder } = job
  const destination = { name, parentId: folder.id, onConflict, metadata }
  const transfer = progress.open(source.label, source.size)
  let arrived: FileDetails | undefined
  const sent = await sendFile(server, source, destination, transfer, {
    mayLook: () => mayLook(run, job),
    findArrived: async () => {
      arrived = await findArrived(run, job)
      return arrived
    },
  })
  // The very bytes may have stood there before, without the values.
  const file = arrived === undefined ? sent : await addMetadata(run, arrived)
  if (file.name !== name.normalize('NFC')) {
    printNotice(`'${source.label}' is stored as '${file.name}', for its name was taken`)
  }
  return file
}
