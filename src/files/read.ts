/** A file's bytes for download and preview, with the policies under which browsers may show them. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type Caller, writeActor } from '../access/actor.ts'
import { byReview } from '../access/standing.ts'
import { type PreviewKind, previewKind } from '../api/preview-kinds.ts'
import { AppError, systemCode } from '../base/errors.ts'
import type { ByteRange, ReadOptions } from '../blobs/blob-store.ts'
import type { FileBytes } from '../blobs/file-bytes.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { confirmReading, findContentId, findSendable } from './find.ts'
import type { ContentRow, DetailsRow, SendableRow, StoredBytes } from './item-row.ts'
import type { Seen } from './surroundings.ts'

/** User content is untrusted: nothing in it may run, load or send. */
export const strictPolicy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:"
/** When opened directly, audio, video and PDF need a policy no stricter than this. */
const playerPolicy = 'sandbox'

const policies: Record<PreviewKind, string> = {
  image: strictPolicy,
  text: strictPolicy,
  pdf: playerPolicy,
  video: playerPolicy,
  audio: playerPolicy,
}

/** The error for a disk that fails while a file is read. */
export const unreadable = (cause: unknown): AppError =>
  new AppError('internal', 'The content of this file cannot be read on the server', { cause })

type Reader = Pick<Deps, 'db' | 'store' | 'log'>

/** The content's new key, if an upload of the same content has replaced its bytes since the row was read. */
async function findNewKey({ db }: Reader, { blob_id }: ContentRow, oldKey: string): Promise<string | null> {
  const row = await db.row<{ key: string }>('SELECT `key` FROM blobs WHERE id = $1', [blob_id])
  return row === undefined || row.key === oldKey ? null : row.key
}

/** Whether the file has other content since its row was read, or is gone. A damaged one names none, or a missing one. */
async function isOutdated({ db }: Reader, { id, blob_id }: ContentRow): Promise<boolean> {
  if ((await db.row('SELECT id FROM blobs WHERE id = $1', [blob_id])) !== undefined) return false
  return (await findContentId(db, id)) !== blob_id
}

/** The error for missing bytes: either the file has new content since its row was read, or they are lost. */
async function explainMissing(reader: Reader, file: ContentRow, cause?: unknown): Promise<AppError> {
  const { log } = reader
  if (await isOutdated(reader, file)) {
    return new AppError('unavailable', 'This file has just changed, try again', { cause, retryAfter: 1 })
  }
  log.error({ err: cause, item: file.id, key: file.blob_key }, 'the content of a file is missing')
  return new AppError('internal', 'The content of this file is missing on the server', { cause })
}

async function openStored(
  reader: Reader,
  file: ContentRow,
  key: string,
  range: ByteRange,
  options?: ReadOptions,
): Promise<Readable> {
  const { store, log } = reader
  const whole = file.sha256 === null ? undefined : { size: file.size, sha256: file.sha256, file: file.id }
  // The reader gets the error too, but knows only the request; an archive has many items.
  const tell = (error: Error) => {
    // A reader who stops early, because the client or the right has gone, ends the bytes in this way.
    if (systemCode(error) === 'ABORT_ERR') return
    log.error({ err: error, item: file.id, key }, 'the content of a file cannot be read')
  }
  const readAgain = async (rest: ByteRange): Promise<Readable> =>
    openStored(reader, file, (await findNewKey(reader, file, key)) ?? key, rest, options)
  try {
    return (await store.read(key, range, { ...options, ...(whole && { whole }), readAgain })).on('error', tell)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') {
      const newKey = await findNewKey(reader, file, key)
      if (newKey !== null) return openStored(reader, file, newKey, range, options)
      throw await explainMissing(reader, file, error)
    }
    tell(error as Error)
    // A remote store that is away comes back.
    throw error instanceof AppError ? error : unreadable(error)
  }
}

async function findBytes(db: Database, file: ContentRow): Promise<StoredBytes | null> {
  const row = await db.row<{ bytes: StoredBytes }>('SELECT bytes FROM blob_bytes WHERE blob_id = $1', [file.blob_id])
  return row?.bytes ?? null
}

const changedContent = (): AppError => new AppError('internal', 'The content of this file has changed on the server')

/** Throws `internal` if the file's row tells another size than its content's: an answer would have bytes too few. */
function requireSize({ log }: Reader, { id, size, blob_size }: ContentRow): void {
  if (blob_size === null || blob_size === size) return
  log.error({ item: id, size, contentSize: blob_size }, 'the size of a file is not that of its content')
  throw changedContent()
}

const isInStore = (file: ContentRow): file is ContentRow & { blob_key: string } =>
  file.blob_place === 'store' && file.blob_key !== null

/**
 * Reads inline content and verifies its SHA-256, which takes microseconds for at most 32 KiB. Nothing else would notice
 * a damaged page of the database.
 */
async function readInline(reader: Reader, file: ContentRow & Partial<SendableRow>): Promise<Buffer> {
  const found = file.bytes === undefined ? await findBytes(reader.db, file) : file.bytes
  const bytes = typeof found === 'string' ? Buffer.from(found) : found
  if (bytes === null || bytes.length < file.size) throw await explainMissing(reader, file)
  if (createHash('sha256').update(bytes).digest('hex') === file.sha256) return bytes
  reader.log.error({ item: file.id, key: file.blob_key }, 'the content of a file has changed')
  throw changedContent()
}

/** The range of bytes, or all of them. */
export const cut = (bytes: Buffer, range: ByteRange | undefined): Buffer =>
  range === undefined ? bytes : bytes.subarray(range.start, range.end + 1)

/**
 * Opens the bytes of a file, or a range of them. Throws `unavailable` when the file has new content since its row was
 * read, and `internal` when the bytes are lost or unreadable, or inline and damaged; the log then names the file. For
 * `reuse` see BlobStore.read.
 */
export async function openContent(
  reader: Reader,
  file: ContentRow & Partial<SendableRow>,
  range?: ByteRange,
  options?: ReadOptions,
): Promise<Readable | Buffer> {
  requireSize(reader, file)
  if (!isInStore(file)) return cut(await readInline(reader, file), range)
  // Request even the whole file as a range, so that a truncated blob fails before the first byte is sent.
  return openStored(reader, file, file.blob_key, range ?? { start: 0, end: file.size - 1 }, options)
}

/**
 * Calls LocalFiles.share. Null when the store is not local or sharing fails: the server then sends the bytes itself,
 * and reports any problem to client and log.
 */
export async function shareStored({ store }: Pick<Deps, 'store'>, key: string, size: number): Promise<string | null> {
  return (await store.local?.share(key, size).catch(() => null)) ?? null
}

/** Records that a reviewer opened a file that nothing else shows them. Opening what one sees anyway is not recorded. */
export function noteReview(
  { journal }: Pick<Deps, 'journal'>,
  actor: Caller,
  item: Pick<Seen<DetailsRow>, 'id' | 'name' | 'standing'>,
  action: 'file.preview' | 'file.view',
): void {
  const { id: itemId, name } = item
  if (item.standing === byReview) journal.note({ actor: writeActor(actor), action, itemId, detail: { name } })
}

/** The common part of download and preview. `action` is recorded once bytes are sent, whatever the number of ranges. */
async function describe(deps: Deps, actor: Caller, file: SendableRow, action: 'file.download' | 'file.preview') {
  const { id: itemId, name, size } = file
  requireSize(deps, file)
  // Read inline bytes now: the ETag states their hash, even when none are sent.
  const inline = isInStore(file) ? null : await readInline(deps, file)
  const note = () => deps.journal.note({ actor: writeActor(actor), action, itemId, detail: { name } })
  return {
    note,
    name,
    size,
    sha256: file.sha256 ?? '',
    modifiedAt: file.modified_at ?? file.updated_at,
    open: async (range?: ByteRange) => {
      const bytes = inline === null ? await openContent(deps, file, range, { reuse: true }) : cut(inline, range)
      note()
      return bytes
    },
    confirm: () => confirmReading(deps.db, actor, file),
    share: async () => {
      if (!isInStore(file)) return null
      const place = await shareStored(deps, file.blob_key, size)
      if (place !== null) note()
      return place
    },
  }
}

/** Types that any page of the site could load as its own script or style, even from an attachment. */
const partOfPages = /javascript|ecmascript|^text\/css$/

/** Visitors of links stay here, where each request is checked, and so do devices, whose requests count until their end. */
const mayBeRedirected = ({ sessionId, key }: Caller): boolean => sessionId !== null || key?.kind === 'script'

/** The least bytes of a file that the store sends by itself: for fewer, the second request takes longer than it saves. */
const leastRedirected = 1024 ** 2

const openRedirect =
  ({ store }: Pick<Deps, 'store'>, file: SendableRow, note: () => void) =>
  async (disposition: string): Promise<string | null> => {
    if (!isInStore(file) || file.size < leastRedirected) return null
    // The store sends no policy and no nosniff: as this type, no browser shows the bytes.
    const announced = { size: file.size, contentType: 'application/octet-stream', disposition }
    const address = await store.redirect(file.blob_key, announced)
    if (address !== null) note()
    return address
  }

/** The file as an attachment, whatever its type. */
export async function downloadFile(deps: Deps, actor: Caller, id: number): Promise<FileBytes> {
  const file = await findSendable(deps.db, actor, id)
  const type = file.mime_type
  const contentType = type === null || partOfPages.test(type) ? 'application/octet-stream' : type
  const described = await describe(deps, actor, file, 'file.download')
  const bytes: FileBytes = { ...described, contentType, disposition: 'attachment', policy: strictPolicy }
  return { ...bytes, ...(mayBeRedirected(actor) && { redirect: openRedirect(deps, file, described.note) }) }
}

/** The file for display in a browser; text of any type as plain text. Throws `unsupported_media` for other types. */
export async function previewFile(deps: Deps, actor: Caller, id: number): Promise<FileBytes> {
  const file = await findSendable(deps.db, actor, id)
  const kind = previewKind(file.mime_type)
  if (kind === null) throw new AppError('unsupported_media', 'Preview not available for this file type')
  const contentType = kind === 'text' ? 'text/plain; charset=utf-8' : (file.mime_type ?? '')
  const described = await describe(deps, actor, file, 'file.preview')
  return { ...described, contentType, disposition: 'inline', policy: policies[kind] }
}
