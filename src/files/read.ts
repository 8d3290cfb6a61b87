/** A file's bytes for download and preview, and the rules under which a browser gets to see them. */
import type { Actor } from '../access/actor.ts'
import { type PreviewKind, previewKind } from '../api/limits.ts'
import type { ByteRange } from '../blobs/blob-store.ts'
import type { FileBytes } from '../blobs/file-bytes.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { AppError, notFound, systemCode } from '../errors.ts'
import type { ItemRow } from './find.ts'
import { findItem } from './find.ts'

interface BlobPlace {
  id: number
  key: string
  place: 'inline' | 'store'
  sha256: string
}

/** What users upload is never trusted by a browser: nothing in it may run, load or send. */
const strictPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
/** Audio, video and PDF do not play under more than this when they are opened directly. */
const playerPolicy = 'sandbox'

const policies: Record<PreviewKind, string> = {
  image: strictPolicy,
  text: strictPolicy,
  pdf: playerPolicy,
  video: playerPolicy,
  audio: playerPolicy,
}

const lost = (cause?: unknown): AppError =>
  new AppError('internal', 'The content of this file is missing on the server', { cause })

/** A live file of the actor's own with where its bytes lie. Throws `not_found`, for folders too. */
async function findContent(deps: Deps, actor: Actor, id: number): Promise<{ item: ItemRow; blob: BlobPlace }> {
  const { db } = deps
  const item = await findItem(db, actor.spaceId, id)
  if (item.is_directory === 1) throw notFound('File')
  const blob = await db.row<BlobPlace>('SELECT id, `key`, place, sha256 FROM blobs WHERE id = $1', [item.blob_id])
  if (blob !== undefined) return { item, blob }
  // Between the two look-ups new content may have taken its place.
  if ((await findItem(db, actor.spaceId, id)).blob_id === item.blob_id) throw lost()
  return findContent(deps, actor, id)
}

/** Why a blob has no bytes: new content took its place since its row was read, or they are lost. */
async function explainMissing(db: Database, blob: BlobPlace, cause?: unknown): Promise<AppError> {
  const row = await db.row('SELECT id FROM blobs WHERE id = $1', [blob.id])
  if (row !== undefined) return lost(cause)
  return new AppError('unavailable', 'This file has just changed, try again', { cause, retryAfter: 1 })
}

/** Opens the bytes of a blob, or a range of them, wherever they lie. */
async function openBlob({ db, store }: Deps, blob: BlobPlace, size: number, range?: ByteRange) {
  if (blob.place === 'store') {
    // The whole is asked for as a range too: what a damaged disk cut short is told before the first byte.
    return store.read(blob.key, range ?? { start: 0, end: size - 1 }).catch(async error => {
      throw systemCode(error) === 'ENOENT' ? await explainMissing(db, blob, error) : error
    })
  }
  const row = await db.row<{ bytes: Buffer }>('SELECT bytes FROM blob_bytes WHERE blob_id = $1', [blob.id])
  if (row === undefined) throw await explainMissing(db, blob)
  return range === undefined ? row.bytes : row.bytes.subarray(range.start, range.end + 1)
}

const describe = (
  deps: Deps,
  item: ItemRow,
  blob: BlobPlace,
): Omit<FileBytes, 'contentType' | 'disposition' | 'policy'> => ({
  name: item.name,
  size: item.size,
  sha256: blob.sha256,
  modifiedAt: item.modified_at ?? item.updated_at,
  open: range => openBlob(deps, blob, item.size, range),
})

/** The file as an attachment, whatever its type. */
export async function downloadFile(deps: Deps, actor: Actor, id: number): Promise<FileBytes> {
  const { item, blob } = await findContent(deps, actor, id)
  const contentType = item.mime_type ?? 'application/octet-stream'
  return { ...describe(deps, item, blob), contentType, disposition: 'attachment', policy: strictPolicy }
}

/** The file as a browser may show it; text of every kind as plain text. Throws `unsupported_media` for other types. */
export async function previewFile(deps: Deps, actor: Actor, id: number): Promise<FileBytes> {
  const { item, blob } = await findContent(deps, actor, id)
  const kind = previewKind(item.mime_type)
  if (kind === null) throw new AppError('unsupported_media', 'Preview not available for this file type')
  const contentType = kind === 'text' ? 'text/plain; charset=utf-8' : (item.mime_type ?? '')
  return { ...describe(deps, item, blob), contentType, disposition: 'inline', policy: policies[kind] }
}
