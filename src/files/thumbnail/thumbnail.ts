/**
 * Thumbnails are drawn on first request, once per file and content, and kept: on a local disk in the store, and else in
 * their row if they are small, since a remote store takes as long for a few KB as for a MB. Equal files do not share one:
 * the response time would reveal to whoever sees one of them that there is another.
 */
import { createHash } from 'node:crypto'
import { Gauge } from 'prom-client'
import { adderId, type Caller, writeActor } from '../../access/actor.ts'
import { inlineLimit } from '../../api/limits.ts'
import { splitName } from '../../api/names.ts'
import { hasThumbnail } from '../../api/preview-kinds.ts'
import { AppError, clientHasGone, notFound, systemCode } from '../../base/errors.ts'
import type { ByteRange } from '../../blobs/blob-store.ts'
import type { FileBytes } from '../../blobs/file-bytes.ts'
import { newBlobKey } from '../../blobs/receive.ts'
import { mayBeCommitted } from '../../db/connections.ts'
import { lockSpace } from '../../db/lock-space.ts'
import { turnOf } from '../../db/write-actor.ts'
import type { Deps } from '../../deps.ts'
import { confirmReading, findContentId, findReadable } from '../find.ts'
import type { DetailsRow, StoredBytes } from '../item-row.ts'
import { cut, noteReview, openContent, shareStored, strictPolicy } from '../read.ts'
import type { Seen } from '../surroundings.ts'
import { drawThumbnail } from './process.ts'
import { openThumbnailQueue } from './queue.ts'
import { openShares } from './share.ts'

/** The largest image read, in bytes; a decoder needs as much memory again. */
const maxImageSize = 128 * 1024 ** 2

interface Thumbnail {
  /** Null when the content cannot have a thumbnail. */
  key: string | null
  size: number
  /** Null if they are in the store. */
  bytes: StoredBytes | null
}

/** A thumbnail that exists. */
interface Drawn extends Thumbnail {
  key: string
}

/**
 * The thumbnail of a file. Throws `not_found` when it cannot have one, `rate_limited` when too many wait,
 * `storage_full` when it must be drawn and there is no room, and as `confirmReading` when the actor has lost access by the
 * time of its turn. Nothing is drawn for a client that is gone by then.
 */
type GetThumbnail = (actor: Caller, id: number, isGone: () => boolean) => Promise<FileBytes>

const noThumbnail = () => notFound('Thumbnail')

/** A file that may have a thumbnail. */
type ImageRow = Seen<DetailsRow> & { blob_id: number }

const isImage = (file: Seen<DetailsRow>): file is ImageRow =>
  hasThumbnail(file.mime_type) && file.blob_id !== null && file.size <= maxImageSize

/** Draws a thumbnail once, however many requests there are. */
export function openThumbnails(deps: Deps): GetThumbnail {
  const queue = openThumbnailQueue()
  const makeRoom = openShares(deps)
  new Gauge({
    name: 'filestore_thumbnails_under_way',
    help: 'Thumbnails that are made or wait to be',
    registers: [deps.metrics],
    collect() {
      this.set(queue.count())
    },
  })

  /** Thumbnails that are drawn and not saved yet, by file and content. */
  const saving = new Map<string, Promise<Thumbnail>>()

  /**
   * Draws a thumbnail, unless an earlier job has drawn it already. Does not wait until it is saved: on MariaDB that waits for
   * a change of the tree around the file, and others wait for this job's place.
   */
  async function make(actor: Caller, file: ImageRow): Promise<{ made: Promise<Thumbnail> }> {
    const name = `${file.id} ${file.blob_id}`
    const drawn = saving.get(name)
    if (drawn !== undefined) return { made: drawn }
    const found = await findThumbnail(deps, file)
    if (found !== undefined) return { made: Promise.resolve(found) }
    await deps.freeSpace.admit()
    const bytes = await drawThumbnail(await openContent(deps, file))
    if (bytes !== null) await makeRoom(file.space_id, bytes.length)
    const made = saveThumbnail(deps, actor, file, bytes).finally(() => saving.delete(name))
    saving.set(name, made)
    // Whoever waits for it gets its error.
    made.catch(() => undefined)
    return { made }
  }

  /** Draws it in its turn. Checks access then and afterwards, because the actor may lose it meanwhile. */
  async function makeInTurn(actor: Caller, file: ImageRow, isGone: () => boolean): Promise<Thumbnail> {
    const confirm = () => confirmReading(deps.db, actor, file)
    const { made } = await queue({ account: adderId(actor), link: actor.link?.id ?? null }, async () => {
      if (isGone()) throw clientHasGone()
      await confirm()
      return make(actor, file)
    })
    const thumbnail = await made
    await confirm()
    return thumbnail
  }

  return async (actor, id, isGone) => {
    const file = await findReadable(deps.db, actor, id)
    if (!isImage(file)) throw noThumbnail()
    const { key, size, bytes } = (await findThumbnail(deps, file)) ?? (await makeInTurn(actor, file, isGone))
    if (key === null) throw noThumbnail()
    return describe(deps, actor, file, { key, size, bytes })
  }
}

const findThumbnail = ({ db }: Deps, { id, blob_id }: ImageRow): Promise<Thumbnail | undefined> =>
  db.row<Thumbnail>('SELECT `key`, size, bytes FROM file_thumbnails WHERE file_id = $1 AND blob_id = $2', [id, blob_id])

/** Saves the thumbnail of a file; if another process was faster, returns that one's. */
async function saveThumbnail(deps: Deps, actor: Caller, file: ImageRow, drawn: Buffer | null): Promise<Thumbnail> {
  const { db, store } = deps
  const { id: file_id, blob_id, space_id } = file
  const key = drawn === null ? null : newBlobKey()
  const bytes = drawn !== null && store.local === null && drawn.length <= inlineLimit ? drawn : null
  const made = { key, size: drawn?.length ?? 0, bytes }
  const isStored = key !== null && drawn !== null && bytes === null
  if (isStored) await store.put(key, piecesOf(drawn))
  try {
    await db.touch(
      async () => {
        // Its row refers to that of the space, for which MariaDB would wait with the connection.
        await lockSpace(db, space_id)
        // One of earlier content, which was saved while that was replaced. The sweeper removes its bytes.
        await db.change('DELETE FROM file_thumbnails WHERE file_id = $1 AND blob_id <> $2', [file_id, blob_id])
        await db.insertAll(db.thumbnails, [{ file_id, blob_id, space_id, ...made }])
      },
      turnOf(writeActor(actor)),
    )
    return made
  } catch (error) {
    if (isStored && !mayBeCommitted(error)) await store.remove(key)
    const others = await findThumbnail(deps, file)
    if (others !== undefined) return others
    throw (await findContentId(db, file_id)) === blob_id ? error : hasChanged(error)
  }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const hasChanged = (cause?: unknown) =>
  new AppError('unavailable', 'This file has just changed, try again', { cause, retryAfter: 1 })

/** Opens a thumbnail's bytes. If they are gone, deletes its row, so that the next request draws it again. */
async function openBytes({ db, store }: Deps, file: number, { key, size, bytes }: Drawn, range: ByteRange) {
  const drawAgain = async (cause?: unknown) => {
    await db.touch(() => db.change('DELETE FROM file_thumbnails WHERE `key` = $1', [key]))
    return hasChanged(cause)
  }
  if (Buffer.isBuffer(bytes) && bytes.length === size) return cut(bytes, range)
  if (bytes !== null) throw await drawAgain()
  try {
    return await store.read(key, range, { whole: { size, sha256: null, file } })
  } catch (error) {
    throw systemCode(error) === 'ENOENT' ? await drawAgain(error) : error
  }
}

const describe = (deps: Deps, actor: Caller, file: Seen<DetailsRow>, drawn: Drawn): FileBytes => ({
  name: `${splitName(file.name, false).stem}.webp`,
  contentType: 'image/webp',
  size: drawn.size,
  // A hash of the key identifies the bytes as well as their own hash, and keeps the key secret.
  sha256: createHash('sha256').update(drawn.key).digest('hex'),
  modifiedAt: file.updated_at,
  disposition: 'inline',
  policy: strictPolicy,
  confirm: () => confirmReading(deps.db, actor, file),
  open: async range => {
    const bytes = await openBytes(deps, file.id, drawn, range ?? { start: 0, end: drawn.size - 1 })
    noteReview(deps, actor, file, 'file.preview')
    return bytes
  },
  share: async () => {
    if (drawn.bytes !== null) return null
    const place = await shareStored(deps, drawn.key, drawn.size)
    if (place !== null) noteReview(deps, actor, file, 'file.preview')
    return place
  },
})
