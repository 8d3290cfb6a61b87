/** Metadata before an upload: which fields the dialog asks for, and what its answers do. */
import { listUploadFields, type MetadataField } from '../../../src/api/metadata.ts'
import { enqueue, openTray, removeUpload } from './queue.ts'
import { addRows, allUploads, changeRow } from './rows.ts'
import type { Uploads } from './state.ts'
import type { Upload } from './upload.ts'

const typeOf = ({ file }: Upload): string => file?.type ?? ''

/** The enabled fields for files of a type. Rejects when they cannot be loaded. */
async function loadFields({ deps }: Uploads, type: string): Promise<readonly MetadataField[]> {
  const fields = await deps.call(listUploadFields, { mime_type: type === '' ? undefined : type.slice(0, 255) })
  return fields.filter(({ is_enabled }) => is_enabled)
}

/** Queues uploads. Those with metadata fields are queued after the metadata dialog. */
export async function askThenEnqueue(uploads: Uploads, added: readonly Upload[]): Promise<void> {
  const types = [...new Set(added.filter(({ file }) => file !== null).map(typeOf))]
  const loads = await Promise.allSettled(types.map(type => loadFields(uploads, type)))
  const failed = loads.find(load => load.status === 'rejected')
  if (failed !== undefined)
    uploads.deps.noteFailure('Failed to load metadata fields. Uploads go on without them', failed.reason)
  for (const upload of added) {
    const load = upload.file === null ? undefined : loads[types.indexOf(typeOf(upload))]
    // If the fields cannot be loaded, a retried upload asks for the fields it had before.
    const fields = load?.status === 'fulfilled' ? load.value : upload.fields
    if (fields.length === 0 && upload.values.size > 0) changeRow(uploads.rows, upload.id, { values: new Map() })
    if (fields.length > 0 && uploads.rows.byId.has(upload.id)) {
      upload.batch.toDescribe += 1
      changeRow(uploads.rows, upload.id, { status: 'describing', fields })
    }
  }
  enqueue(
    uploads,
    added.map(({ id }) => id),
  )
}

/** The values that apply to a file: not every type has all fields. */
function valuesFor(upload: Upload, values: ReadonlyMap<number, string>): ReadonlyMap<number, string> {
  const ids = new Set(upload.fields.map(({ id }) => id))
  return new Map([...values].filter(([id]) => ids.has(id)))
}

/** The upload, or all of its batch, as far as the dialog has yet to ask about them. */
const meantBy = ({ rows }: Uploads, { id, batch }: Upload, isForAll: boolean): Upload[] =>
  allUploads(rows).filter(
    other => other.status === 'describing' && (other.id === id || (isForAll && other.batch === batch)),
  )

/** How many other files of its batch the dialog has yet to ask about. */
export const undescribedBeside = (uploads: Uploads, upload: Upload): number =>
  meantBy(uploads, upload, true).filter(({ id }) => id !== upload.id).length

/** Stores the values for a file, or for it and all of its batch that the dialog has yet to ask about. */
export function describeUpload(
  uploads: Uploads,
  upload: Upload,
  values: ReadonlyMap<number, string>,
  isForAll: boolean,
): void {
  const described = meantBy(uploads, upload, isForAll)
  upload.batch.described += described.length
  for (const each of described)
    changeRow(uploads.rows, each.id, { status: 'waiting', problems: null, values: valuesFor(each, values) })
  enqueue(
    uploads,
    described.map(({ id }) => id),
  )
}

/**
 * Drops a file without metadata, or it and all of its batch that the dialog has yet to ask about. Undo brings them
 * back, the file with the values typed so far.
 */
export function dropUndescribed(
  uploads: Uploads,
  upload: Upload,
  isForAll: boolean,
  values: ReadonlyMap<number, string>,
): void {
  const dropped = meantBy(uploads, upload, isForAll).map(each => (each.id === upload.id ? { ...each, values } : each))
  upload.batch.described += dropped.length
  for (const { id } of dropped) removeUpload(uploads, id)
  const message =
    dropped.length === 1 ? 'Upload cancelled' : `${dropped.length.toLocaleString('en-US')} uploads cancelled`
  uploads.deps.offerUndo(message, () => {
    upload.batch.described -= dropped.length
    openTray(uploads)
    addRows(uploads.rows, dropped)
  })
}
