/** Sends the uploads of one request, alone or together, and says what became of each. */
import { ApiError } from '../../../src/api/client.ts'
import type { FileItem } from '../../../src/api/items.ts'
import type { MetadataValue } from '../../../src/api/metadata-values.ts'
import { errorOf, FolderError, isNameTaken } from './failures.ts'
import { findNamesake, isAlike } from './namesake.ts'
import { allUploads, changeRow, dropRow } from './rows.ts'
import type { Uploads } from './state.ts'
import { fullWayTo, makeFolder, topOf, wayTo } from './target-folder.ts'
import type { Run } from './turns.ts'
import type { Upload } from './upload.ts'
import type { UploadRequest } from './upload-form.ts'

/** The item is null for a folder, whose name never changes. */
export type Outcome = { upload: Upload } & ({ item: FileItem | null } | { error: unknown })

const valuesOf = ({ values }: Upload): MetadataValue[] =>
  Array.from(values, ([field_id, value]) => ({ field_id, value })).filter(({ value }) => value !== '')

/** Sends a large file, or what is missing of it. A row that an earlier page has left for the same file goes. */
function sendInPieces(
  { deps, rows }: Uploads,
  { id, target, begun }: Upload,
  request: Omit<UploadRequest, 'onProgress'>,
): Promise<FileItem> {
  let isFirst = true
  return deps.pieces.send({
    ...request,
    folderName: fullWayTo(target),
    begun: begun?.id ?? null,
    onBegun: found => {
      for (const other of allUploads(rows)) {
        if (other.status === 'unfinished' && other.begun?.id === found) dropRow(rows, other.id)
      }
    },
    onProgress: sent => {
      // The speed counts from the first byte of this time.
      changeRow(rows, id, isFirst ? { sent, sentBefore: sent, startedAt: performance.now() } : { sent })
      isFirst = false
    },
  })
}

/** Sends one upload. Returns its item, also if an earlier request, whose answer was lost, has stored it. */
async function sendOne(uploads: Uploads, upload: Upload, { controller }: Run): Promise<FileItem | null> {
  const { deps, rows } = uploads
  const { id, file, rule } = upload
  const { signal } = controller
  const parentId = await makeFolder(deps.call, upload.target).catch(error => {
    throw new FolderError(error)
  })
  signal.throwIfAborted()
  const request = { parentId, rule, metadata: valuesOf(upload) }
  if (file === null) return upload.begun === null ? null : deps.pieces.finish(upload.begun.id, request)
  if (upload.isInPieces) return sendInPieces(uploads, upload, { ...request, file, signal })
  const onProgress = (sent: number) => changeRow(rows, id, { sent })
  try {
    return await deps.send({ ...request, file, signal, onProgress })
  } catch (error) {
    if (!upload.isUnsure || !isNameTaken(error)) throw error
    const namesake = await findNamesake(deps.call, upload).catch(() => null)
    if (namesake === null || !isAlike(upload, namesake)) throw error
    return namesake
  }
}

/** Shows how much of each file was sent: they leave the page one after the other. */
function showProgress({ rows, queue }: Uploads, group: readonly Upload[], run: Run, share: number): void {
  let left = Math.round(share * group.reduce((sum, { size }) => sum + size, 0))
  for (const { id, size } of group) {
    const sent = Math.min(left, size)
    left -= sent
    const before = rows.byId.get(id)?.sent
    if (queue.running.get(id) !== run || before === sent) continue
    // The speed of a file counts from its own first byte.
    changeRow(rows, id, before === 0 ? { sent, startedAt: performance.now() } : { sent })
  }
}

async function sendGroup(uploads: Uploads, group: readonly Upload[], run: Run): Promise<Outcome[]> {
  const { deps } = uploads
  const [first] = group
  const parentId = first === undefined ? null : await topOf(first.target).made
  const results = await deps.sendMany({
    files: group.flatMap(upload => {
      const { file, target, rule } = upload
      return file === null ? [] : [{ file, path: wayTo(target), rule, metadata: valuesOf(upload) }]
    }),
    parentId: parentId ?? null,
    signal: run.controller.signal,
    onProgress: share => showProgress(uploads, group, run, share),
    onSent: () => {
      run.isSent = true
    },
  })
  return group.map((upload, index): Outcome => {
    const { target } = upload
    const result = results.find(one => one.index === index)
    if (result === undefined) return { upload, error: new ApiError(500, 'Invalid response format') }
    if (!result.ok) return { upload, error: errorOf(result) }
    if (target.parent !== null) target.made = Promise.resolve(result.file.parent_id)
    return { upload, item: result.file }
  })
}

/** Sends the uploads of a run. Rejects if a request with several fails as a whole. */
export async function sendRun(uploads: Uploads, group: readonly Upload[], run: Run): Promise<Outcome[]> {
  const [upload] = group
  if (upload === undefined || group.length > 1) return sendGroup(uploads, group, run)
  try {
    return [{ upload, item: await sendOne(uploads, upload, run) }]
  } catch (error) {
    return [{ upload, error }]
  }
}
