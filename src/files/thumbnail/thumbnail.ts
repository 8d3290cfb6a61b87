/** Thumbnails: made at the first look, once for each content, and kept in the store. */
import { createHash } from 'node:crypto'
import type { Actor } from '../../access/actor.ts'
import { hasThumbnail } from '../../api/limits.ts'
import { splitName } from '../../api/names.ts'
import type { ByteRange } from '../../blobs/blob-store.ts'
import type { FileBytes } from '../../blobs/file-bytes.ts'
import { newBlobKey } from '../../blobs/receive.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound, systemCode } from '../../errors.ts'
import { type DetailsRow, findReadable } from '../find.ts'
import { openContent, shareStored, strictPolicy } from '../read.ts'
import { drawThumbnail } from './process.ts'
import { openThumbnailTurns } from './turns.ts'

/** Bytes of the largest image that is read; what it takes of memory, a decoder takes anew. */
const maxImageSize = 128 * 1024 ** 2

interface Thumbnail {
  /** Null where the content can have none. */
  key: string | null
  size: number
}

/** The thumbnail of a file. Throws `not_found` where it can have none, `rate_limited` where too many wait for
 * theirs, `storage_full` where it is still to be made and has no room. */
type GetThumbnail = (actor: Actor, id: number) => Promise<FileBytes>

const noThumbnail = () => notFound('Thumbnail')

/** Makes each content's thumbnail once at a time for each space, however many ask for it there. */
export function openThumbnails(deps: Deps): GetThumbnail {
  const takeTurn = openThumbnailTurns()
  const underWay = deps.metrics.gauge('filestore_thumbnails_under_way', 'Thumbnails that are made or wait to be')
  deps.metrics.beforeText(() => underWay.set(takeTurn.count()))
  const making = new Map<string, Promise<Thumbnail>>()

  function make(file: DetailsRow, blobId: number): Promise<Thumbnail> {
    // By the space too: where another has the same content, it may wait there behind costly images.
    const key = `${file.space_id} ${blobId}`
    const running = making.get(key)
    if (running !== undefined) return running
    const draw = async () => {
      const made = await findThumbnail(deps, blobId)
      if (made !== undefined) return made
      await deps.room.admit()
      return saveThumbnail(deps, blobId, await drawThumbnail(await openContent(deps, file)))
    }
    const made = takeTurn(file.space_id, draw)
    making.set(key, made)
    return made.finally(() => making.delete(key))
  }

  return async (actor, id) => {
    const file = await findReadable(deps.db, actor, id)
    if (!hasThumbnail(file.mime_type) || file.blob_id === null || file.size > maxImageSize) throw noThumbnail()
    const { key, size } = (await findThumbnail(deps, file.blob_id)) ?? (await make(file, file.blob_id))
    if (key === null) throw noThumbnail()
    return describe(deps, file, key, size)
  }
}

const findThumbnail = ({ db }: Deps, blobId: number): Promise<Thumbnail | undefined> =>
  db.row<Thumbnail>('SELECT `key`, size FROM thumbnails WHERE blob_id = $1', [blobId])

/** Gives the content its thumbnail, or where another process was faster, that one's. */
async function saveThumbnail(deps: Deps, blobId: number, bytes: Buffer | null): Promise<Thumbnail> {
  const { db, store } = deps
  const key = bytes === null ? null : newBlobKey()
  const made = { key, size: bytes?.length ?? 0 }
  if (key !== null && bytes !== null) await store.put(key, piecesOf(bytes))
  try {
    await db.touch(() => db.insertAll(db.thumbnails, [{ blob_id: blobId, ...made }]))
    return made
  } catch (error) {
    if (key !== null) await store.remove(key)
    const others = await findThumbnail(deps, blobId)
    if (others !== undefined) return others
    const blob = await db.row('SELECT id FROM blobs WHERE id = $1', [blobId])
    throw blob === undefined ? hasChanged(error) : error
  }
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const hasChanged = (cause: unknown) =>
  new AppError('unavailable', 'This file has just changed, try again', { cause, retryAfter: 1 })

/** A thumbnail whose bytes are gone is forgotten, so that the next look makes it anew. */
async function openBytes({ db, store }: Deps, key: string, range: ByteRange) {
  try {
    return await store.read(key, range)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    await db.touch(() => db.change('DELETE FROM thumbnails WHERE `key` = $1', [key]))
    throw hasChanged(error)
  }
}

const describe = (deps: Deps, file: DetailsRow, key: string, size: number): FileBytes => ({
  name: `${splitName(file.name, false).stem}.webp`,
  contentType: 'image/webp',
  size,
  // Its key is as good a name as a hash of the bytes, and stays unknown behind one of its own.
  sha256: createHash('sha256').update(key).digest('hex'),
  modifiedAt: file.updated_at,
  disposition: 'inline',
  policy: strictPolicy,
  open: range => openBytes(deps, key, range ?? { start: 0, end: size - 1 }),
  share: () => shareStored(deps, key, size),
})
