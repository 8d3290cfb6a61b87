/** Makes rows of what was dropped, pasted or chosen, and brings failed ones back. */
import './watch-page.ts'
import { type Picked, type PickedFile, pickFiles } from '../../ui/picked-files.ts'
import { pageConfig } from '../config.ts'
import { formatLimit } from '../format-size.ts'
import { askThenEnqueue } from './metadata.ts'
import { enqueue } from './queue.ts'
import type { FolderContents } from './read-folders.ts'
import { readAll } from './reading.ts'
import { addRows, allUploads, type Batch, changeRow, dropRow, findUpload, type Upload } from './rows.ts'
import { existingFolder, folderBelow, forgetFolder, type TargetFolder } from './target-folder.ts'

let lastId = 0

type RowStart = Pick<Upload, 'batch' | 'name' | 'target'> & Partial<Upload>

function createRow(start: RowStart): Upload {
  lastId += 1
  return {
    id: lastId,
    size: start.file?.size ?? 0,
    file: null,
    isFolder: false,
    status: 'waiting',
    sent: 0,
    startedAt: 0,
    note: null,
    rule: 'fail',
    fields: [],
    hasWaited: false,
    values: new Map(),
    problems: null,
    again: null,
    ...start,
  }
}

const isTooLarge = ({ size }: { size: number }): boolean => size > pageConfig.max_file_size

function rowOfFile(batch: Batch, top: TargetFolder, { file, folders }: PickedFile): Upload {
  const start: RowStart = { batch, name: file.name, file, target: folderBelow(top, folders) }
  if (!isTooLarge(file)) return createRow(start)
  // What the server would say, without sending a byte.
  return createRow({ ...start, status: 'error', note: `File is larger than ${formatLimit(pageConfig.max_file_size)}` })
}

/** Uploads into a folder; null is the root. */
export async function addPicked(picked: Picked, folderId: number | null): Promise<void> {
  return addBelow(picked, existingFolder(folderId))
}

async function addBelow({ files, folders, lost }: Picked, top: TargetFolder): Promise<void> {
  const contents = folders.length === 0 ? null : await readAll(folders)
  if (folders.length > 0 && contents === null) return
  const batch: Batch = { rule: null, isQuiet: false, described: 0, toDescribe: 0 }
  const reason = 'It cannot be read'
  const rows = [
    ...[...files, ...(contents?.files ?? [])].map(file => rowOfFile(batch, top, file)),
    ...(contents === null ? [] : rowsOfFolders(batch, top, contents)),
    ...Array.from({ length: lost }, () =>
      createRow({ batch, name: 'Dropped item', target: top, status: 'error', note: reason }),
    ),
  ]
  addRows(rows)
  await askThenEnqueue(rows.filter(({ status }) => status === 'waiting'))
}

/** Rows for what is no file: folders that hold nothing, and what could not be read. */
function rowsOfFolders(batch: Batch, top: TargetFolder, { empty, unreadable }: FolderContents): Upload[] {
  const made = empty.map(way =>
    createRow({ batch, name: way.at(-1) ?? '', isFolder: true, target: folderBelow(top, way) }),
  )
  const failed = unreadable.map(({ name, folders, reason, entry }) => {
    const target = folderBelow(top, folders)
    const picked = { ...pickFiles([]), folders: entry === null ? [] : [entry] }
    const again = entry === null ? null : () => void addBelow(picked, target)
    return createRow({ batch, name, isFolder: entry !== null, target, status: 'error', note: reason, again })
  })
  return [...made, ...failed]
}

/** Whether a failed upload can have another try: there must be something to send, and not too much of it. */
export const canRetry = (upload: Upload): boolean =>
  upload.again !== null || upload.isFolder || (upload.file !== null && !isTooLarge(upload))

/** Gives failed uploads another try; those whose metadata was refused are asked for it again. */
export function retryUploads(ids: readonly number[]): void {
  const failed = ids.map(findUpload).filter(upload => upload?.status === 'error')
  const again: Upload[] = []
  for (const upload of failed) {
    if (upload === undefined || !canRetry(upload)) continue
    if (upload.again === null) again.push(upload)
    else {
      dropRow(upload.id)
      upload.again()
    }
  }
  for (const { id, target } of again) {
    forgetFolder(target)
    changeRow(id, { status: 'waiting', note: null, sent: 0, hasWaited: false })
  }
  enqueue(again.filter(({ problems }) => problems === null).map(({ id }) => id))
  void askThenEnqueue(again.filter(({ problems }) => problems !== null))
}

/** Whether any failed upload can have another try. */
export const canRetryAny = (): boolean => allUploads().some(upload => upload.status === 'error' && canRetry(upload))

export const retryFailed = (): void => retryUploads(allUploads().map(({ id }) => id))
