/** Creates rows for dropped, pasted or chosen files, and retries failed ones. */
import { resumableFrom } from '../../../src/api/limits.ts'
import { type Picked, type PickedFile, pickFiles } from '../../ui/picked-files.ts'
import { formatLimit } from '../words/format-size.ts'
import { askThenEnqueue } from './metadata.ts'
import { enqueue } from './queue.ts'
import type { FolderContents } from './read-folders.ts'
import { readAll } from './reading.ts'
import { addRows, allUploads, changeRow, dropRow } from './rows.ts'
import type { Uploads } from './state.ts'
import { type ExistingFolder, existingFolder, folderBelow, forgetFolder, type TargetFolder } from './target-folder.ts'
import type { Batch, Upload } from './upload.ts'

type RowStart = Pick<Upload, 'batch' | 'name' | 'target'> & Partial<Upload>

export const newBatch = (): Batch => ({ rule: null, isQuiet: false, described: 0, toDescribe: 0 })

export function createRow(uploads: Uploads, start: RowStart): Upload {
  uploads.lastId += 1
  return {
    id: uploads.lastId,
    size: start.file?.size ?? 0,
    file: null,
    isFolder: false,
    status: 'waiting',
    sent: 0,
    sentBefore: 0,
    startedAt: 0,
    note: null,
    rule: 'fail',
    fields: [],
    waits: 0,
    isInPieces: (start.file?.size ?? 0) >= resumableFrom,
    reached: 0,
    begun: null,
    isAlone: false,
    isUnsure: false,
    isOverQuota: false,
    isFolderLost: false,
    values: new Map(),
    problems: null,
    again: null,
    ...start,
  }
}

const isTooLarge = ({ deps }: Uploads, { size }: { size: number }): boolean => size > deps.maxFileSize

function rowOfFile(uploads: Uploads, batch: Batch, top: TargetFolder, { file, folders }: PickedFile): Upload {
  const start: RowStart = { batch, name: file.name, file, target: folderBelow(top, folders) }
  if (!isTooLarge(uploads, file)) return createRow(uploads, start)
  // Refuse it here: the server would refuse it only after the bytes were sent.
  const note = `File is larger than ${formatLimit(uploads.deps.maxFileSize)}`
  return createRow(uploads, { ...start, status: 'error', note })
}

/** Uploads into a folder. */
export async function addPicked(uploads: Uploads, picked: Picked, folder: ExistingFolder): Promise<void> {
  return addBelow(uploads, picked, existingFolder(folder))
}

async function addBelow(uploads: Uploads, { files, folders, lost }: Picked, top: TargetFolder): Promise<void> {
  const contents = folders.length === 0 ? null : await readAll(uploads, folders)
  if (folders.length > 0 && contents === null) return
  const batch = newBatch()
  const reason = 'It cannot be read'
  const rows = [
    ...[...files, ...(contents?.files ?? [])].map(file => rowOfFile(uploads, batch, top, file)),
    ...(contents === null ? [] : rowsOfFolders(uploads, batch, top, contents)),
    ...Array.from({ length: lost }, () =>
      createRow(uploads, { batch, name: 'Dropped item', target: top, status: 'error', note: reason }),
    ),
  ]
  addRows(uploads.rows, rows)
  await askThenEnqueue(
    uploads,
    rows.filter(({ status }) => status === 'waiting'),
  )
}

/** Rows for entries that are not files: empty folders, and entries that could not be read. */
function rowsOfFolders(
  uploads: Uploads,
  batch: Batch,
  top: TargetFolder,
  { empty, unreadable }: FolderContents,
): Upload[] {
  const made = empty.map(way =>
    createRow(uploads, { batch, name: way.at(-1) ?? '', isFolder: true, target: folderBelow(top, way) }),
  )
  const failed = unreadable.map(({ name, folders, reason, entry }) => {
    const target = folderBelow(top, folders)
    const picked = { ...pickFiles([]), folders: entry === null ? [] : [entry] }
    const again = entry === null ? null : () => void addBelow(uploads, picked, target)
    return createRow(uploads, { batch, name, isFolder: entry !== null, target, status: 'error', note: reason, again })
  })
  return [...made, ...failed]
}

/** Whether a failed upload can be retried: there must be something to send, and it must not be too large. */
export const canRetry = (uploads: Uploads, upload: Upload): boolean =>
  upload.again !== null ||
  upload.isFolder ||
  upload.begun !== null ||
  (upload.file !== null && !isTooLarge(uploads, upload))

/** Retries failed uploads. When the server refused the metadata, the dialog asks for it again. */
export function retryUploads(uploads: Uploads, ids: readonly number[]): void {
  const { rows } = uploads
  const failed = ids.map(id => rows.byId.get(id)).filter(upload => upload?.status === 'error')
  const again: Upload[] = []
  for (const upload of failed) {
    if (upload === undefined || !canRetry(uploads, upload)) continue
    if (upload.again === null) again.push(upload)
    else {
      dropRow(rows, upload.id)
      upload.again()
    }
  }
  for (const { id, target } of again) {
    forgetFolder(target)
    changeRow(rows, id, { status: 'waiting', note: null, sent: 0, waits: 0, reached: 0 })
  }
  const unasked = again.filter(({ problems }) => problems === null)
  enqueue(
    uploads,
    unasked.map(({ id }) => id),
  )
  void askThenEnqueue(
    uploads,
    again.filter(({ problems }) => problems !== null),
  )
}

/** Whether any failed upload can be retried. */
export const canRetryAny = (uploads: Uploads): boolean =>
  allUploads(uploads.rows).some(upload => upload.status === 'error' && canRetry(uploads, upload))

export const retryFailed = (uploads: Uploads): void =>
  retryUploads(
    uploads,
    allUploads(uploads.rows).map(({ id }) => id),
  )
