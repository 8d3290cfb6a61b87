/**
 * Thumbnails: made at the first look, once for each content in a space, and kept in the store. Each space has its own, so
 * that nobody learns by the time it takes whether another has the same image.
 */
import { createHash } from 'node:crypto'
import { Gauge } from 'prom-client'
import type { Actor } from '../../access/actor.ts'
import { confirmActor } from '../../access/confirm-actor.ts'
import { hasThumbnail } from '../../api/limits.ts'
import { splitName } from '../../api/names.ts'
import { AppError, notFound, systemCode } from '../../base/errors.ts'
import type { ByteRange } from '../../blobs/blob-store.ts'
import type { FileBytes } from '../../blobs/file-bytes.ts'
import { newBlobKey } from '../../blobs/receive.ts'
import type { Deps } from '../../deps.ts'
import { type DetailsRow, findReadable } from '../find.ts'
import { noteReview, openContent, shareStored, strictPolicy } from '../read.ts'
import { drawThumbnail } from './process.ts'
import { openThumbnailQueue } from './queue.ts'
import { openShares } from './share.ts'

/** Bytes of the largest image that is read; what it takes of memory, a decoder takes anew. */
const maxImageSize = 128 * 1024 ** 2

interface Thumbnail {
  /** Null where the content can have none. */
  key: string | null
  size: number
}

/** One that there is. */
interface Drawn extends Thumbnail {
  key: string
}

/** The thumbnail of a file. Throws `not_found` where it can have none, `rate_limited` where too many wait for
 * theirs, `storage_full` where it is still to be made and has no room, `unauthenticated` or `forbidden` where the actor may not have it any more
 * when its turn comes. */
type GetThumbnail = (actor: Actor, id: number) => Promise<FileBytes>

const noThumbnail = () => notFound('Thumbnail')

/** Makes each content's thumbnail once for each space, however many ask for it there. */
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

  /** Draws one, unless somebody whose turn came before has had it drawn. */
  async function make(file: DetailsRow, blobId: number): Promise<Thumbnail> {
    const made = await findThumbnail(deps, file.space_id, blobId)
    if (made !== undefined) return made
    await deps.room.admit()
    const bytes = await drawThumbnail(await openContent(deps, file))
    if (bytes !== null) await makeRoom(file.space_id, bytes.length)
    return saveThumbnail(deps, file.space_id, blobId, bytes)
  }

  /** The same when its turn comes. What the actor may do can end before that, and while it is drawn. */
  async function makeInTurn(actor: Actor, file: DetailsRow, blobId: number): Promise<Thumbnail> {
    const confirm = () => confirmActor(deps.db, actor, ['files:read'])
    const made = await queue(file.space_id, async () => {
      await confirm()
      return make(file, blobId)
    })
    await confirm()
    return made
  }

  return async (actor, id) => {
    const file = await findReadable(deps.db, actor, id)
    const { blob_id: blobId, space_id: spaceId } = file
    if (!hasThumbnail(file.mime_type) || blobId === null || file.size > maxImageSize) throw noThumbnail()
    const { key, size } = (await findThumbnail(deps, spaceId, blobId)) ?? (await makeInTurn(actor, file, blobId))
    if (key === null) throw noThumbnail()
    return describe(deps, actor, file, { key, size })
  }
}

const findThumbnail = ({ db }: Deps, spaceId: number, blobId: number): Promise<Thumbnail | undefined> =>
  db.row<Thumbnail>('SELECT `key`, size FROM space_thumbnails WHERE blob_id = $1 AND space_id = $2', [blobId, spaceId])

/** Gives the content its thumbnail, or where another process was faster, that one's. */
async function saveThumbnail(deps: Deps, spaceId: number, blobId: number, bytes: Buffer | null): Promise<Thumbnail> {
  const { db, store } = deps
  const key = bytes === null ? null : newBlobKey()
  const made = { key, size: bytes?.length ?? 0 }
  if (key !== null && bytes !== null) await store.put(key, piecesOf(bytes))
  try {
    await db.touch(() => db.insertAll(db.thumbnails, [{ blob_id: blobId, space_id: spaceId, ...made }]))
    return made
  } catch (error) {
    if (key !== null) await store.remove(key)
    const others = await findThumbnail(deps, spaceId, blobId)
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
    await db.touch(() => db.change('DELETE FROM space_thumbnails WHERE `key` = $1', [key]))
    throw hasChanged(error)
  }
}

const describe = (deps: Deps, actor: Actor, file: DetailsRow, { key, size }: Drawn): FileBytes => ({
  name: `${splitName(file.name, false).stem}.webp`,
  contentType: 'image/webp',
  size,
  // Its key is as good a name as a hash of the bytes, and stays unknown behind one of its own.
  sha256: createHash('sha256').update(key).digest('hex'),
  modifiedAt: file.updated_at,
  disposition: 'inline',
  policy: strictPolicy,
  open: async range => {
    const bytes = await openBytes(deps, key, range ?? { start: 0, end: size - 1 })
    noteReview(deps, actor, file, 'file.preview')
    return bytes
  },
  share: async () => {
    const place = await shareStored(deps, key, size)
    if (place !== null) noteReview(deps, actor, file, 'file.preview')
    return place
  },
})
