/** Metadata before an upload: which fields a file is asked for, and what becomes of the answers. */
import { listUploadFields, type MetadataField } from '../../../src/api/metadata.ts'
import { enqueue, openTray, removeUpload } from './queue.ts'
import { addRows, allUploads, changeRow } from './rows.ts'
import type { Uploads } from './state.ts'
import type { Upload } from './upload.ts'

const typeOf = ({ file }: Upload): string => file?.type ?? ''

/** The fields that files of a type are asked for, the enabled ones. Rejects where they cannot be had. */
async function loadFields({ deps }: Uploads, type: string): Promise<readonly MetadataField[]> {
  const fields = await deps.call(listUploadFields, { mime_type: type === '' ? undefined : type.slice(0, 255) })
  return fields.filter(({ is_enabled }) => is_enabled)
}

/** Lets uploads have their turn; those for which there are fields after the metadata dialog. */
export async function askThenEnqueue(uploads: Uploads, added: readonly Upload[]): Promise<void> {
  const types = [...new Set(added.filter(({ file }) => file !== null).map(typeOf))]
  const loads = await Promise.allSettled(types.map(type => loadFields(uploads, type)))
  const failed = loads.find(load => load.status === 'rejected')
  if (failed !== undefined)
    uploads.deps.noteFailure('Failed to load metadata fields. Uploads go on without them', failed.reason)
  for (const upload of added) {
    const load = upload.file === null ? undefined : loads[types.indexOf(typeOf(upload))]
    // One that was asked before is asked for the same again where they cannot be had.
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

/** Of some values those that a file is asked for, for not every type has all fields. */
function valuesFor(upload: Upload, values: ReadonlyMap<number, string>): ReadonlyMap<number, string> {
  const ids = new Set(upload.fields.map(({ id }) => id))
  return new Map([...values].filter(([id]) => ids.has(id)))
}

/** A file, or it and all of its batch, as far as they are still to be asked about. */
const meantBy = ({ rows }: Uploads, { id, batch }: Upload, isForAll: boolean): Upload[] =>
  allUploads(rows).filter(
    other => other.status === 'describing' && (other.id === id || (isForAll && other.batch === batch)),
  )

/** How many others of its batch are still to be asked about. */
export const undescribedBeside = (uploads: Uploads, upload: Upload): number =>
  meantBy(uploads, upload, true).filter(({ id }) => id !== upload.id).length

/** Takes the values for a file, or for it and all of its batch that are still to be asked about. */
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
 * Drops a file that gets no metadata, or it and all of its batch that are still to be asked about. They can be had
 * back, the file with what was typed for it so far.
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
