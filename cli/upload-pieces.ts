/** Uploads a large file in pieces. An upload that broke off goes on, also after the command was killed and run again. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Call } from '../src/api/client.ts'
import type { FileDetails } from '../src/api/items.ts'
import { resumableFrom } from '../src/api/limits.ts'
import { hasTooMany, type LinkTarget, linkDoor } from '../src/api/link-door.ts'
import { openResumable, type Resumable } from '../src/api/resumable.ts'
import type { PieceAnswer, PieceRequest } from '../src/api/resumable-answers.ts'
import {
  isUploadOf,
  NotResumable,
  type ResumableDoor,
  type ResumableTarget,
  type StoredFile,
  userDoor,
} from '../src/api/resumable-doors.ts'
import { listUploads } from '../src/api/tus.ts'
import type { Transfer } from '../terminal/progress.ts'
import { createSingleCall, readResponse, type Server, sendRequest } from './client.ts'
import { hashOf } from './hash.ts'
import { withRetries } from './retry.ts'
import { counted, type Destination, explainShorter, type Source } from './upload-file.ts'

type SizedSource = Source & { size: number }

/** Whether a file is so large that it is sent in pieces. */
export const isInPieces = (source: Source): source is SizedSource =>
  source.size !== undefined && source.size >= resumableFrom

/** Sends one request of the protocol, without retries. */
async function sendPiece(
  server: Server,
  source: Source,
  { method, path, headers, range }: PieceRequest,
  onSent: (bytes: number) => void,
): Promise<PieceAnswer> {
  if (range === null) return readPieceAnswer(server, { method, path, headers })
  const content = source.open(...range)
  let sent = 0
  const count = (bytes: number) => {
    sent += bytes
    onSent(sent)
  }
  const body = Readable.from(counted(content, count), { objectMode: false })
  const length = { 'content-length': String(range[1] - range[0]) }
  try {
    return await readPieceAnswer(server, { method, path, headers: { ...headers, ...length }, body })
  } catch (error) {
    throw explainShorter(source, error)
  } finally {
    body.destroy()
    content.destroy()
  }
}

type RawRequest = Parameters<typeof sendRequest>[1]

async function readPieceAnswer(
  server: Server,
  request: Omit<RawRequest, 'method'> & { method: string },
): Promise<PieceAnswer> {
  const response = await sendRequest(server, request as RawRequest)
  const header = (name: string) => [response.headers[name.toLowerCase()]].flat()[0] ?? null
  return { ...(await readResponse(server, response)), header }
}

/** The id of an earlier upload of the file; null if there is none. Throws `NotResumable` for an older server. */
async function findBegun(call: Call, target: ResumableTarget, size: number): Promise<string | null> {
  try {
    const { uploads } = await call(listUploads, {})
    return uploads.find(upload => isUploadOf(upload, target, size))?.id ?? null
  } catch (error) {
    if (!(error instanceof ApiError) || ![404, 405].includes(error.status)) throw error
    throw new NotResumable('Unknown call', { cause: error })
  }
}

/** Opens the upload of a file; `begun` is the id of one that goes on. */
function openUpload<Target, Made extends StoredFile>(
  server: Server,
  door: ResumableDoor<Target, Made>,
  source: SizedSource,
  transfer: Transfer,
  begun: string | null = null,
): Resumable<Target, Made> {
  let shown = 0
  let isFirst = begun !== null
  return openResumable(
    {
      send: (request, onSent) => sendPiece(server, source, request, onSent),
      wait: seconds => sleep(seconds * 1000, undefined, { signal: server.signal }),
      // An upload of an earlier command may be of other bytes.
      hash: () => hashOf(source.open(), server.signal),
      onProgress: sent => {
        if (isFirst) transfer.skip(sent)
        else transfer.add(sent - shown)
        isFirst = false
        shown = sent
      },
    },
    door,
    source.size,
    begun,
  )
}

/** Makes attempts until the file is there. Returns undefined if the server or a proxy cannot take it so. */
async function attemptAll<Target, Made>(
  { signal }: Server,
  open: () => Promise<Resumable<Target, Made>>,
  target: Target,
  transfer: Transfer,
): Promise<Made | undefined> {
  let upload: Resumable<Target, Made> | undefined
  const attempt = async () => {
    upload ??= await open()
    return upload.upload(target)
  }
  transfer.begin()
  try {
    return await withRetries(attempt, signal, true, () => upload?.received ?? 0)
  } catch (error) {
    if (error instanceof NotResumable) return undefined
    throw error
  } finally {
    transfer.end()
  }
}

/**
 * Uploads a file in pieces, with retries; goes on with an unfinished upload of the same file. `onTheWay` has the files
 * that this command sends now, so that none takes the upload of another. Returns the uploaded file, or undefined if the
 * server or a proxy cannot take it so. Throws as `sendFile`.
 */
export async function sendInPieces(
  server: Server,
  source: SizedSource,
  { name, parentId, onConflict, metadata }: Destination,
  transfer: Transfer,
  onTheWay: Set<string>,
): Promise<FileDetails | undefined> {
  const target: ResumableTarget = {
    ...{ name, parent_id: parentId, on_conflict: onConflict, modified_at: source.modifiedAt?.toISOString() },
    ...(metadata.length === 0 ? {} : { metadata: [...metadata] }),
  }
  const sign = JSON.stringify([parentId, name, source.size, target.modified_at])
  const mayGoOn = !onTheWay.has(sign)
  if (mayGoOn) onTheWay.add(sign)
  const call = createSingleCall(server)
  const open = async () => {
    const begun = mayGoOn ? await findBegun(call, target, source.size) : null
    return openUpload(server, userDoor(call), source, transfer, begun)
  }
  try {
    return await attemptAll(server, open, target, transfer)
  } finally {
    if (mayGoOn) onTheWay.delete(sign)
  }
}

/**
 * The same for a file that a visitor sends to a link, with an upload of its own. Also returns undefined where too many
 * uploads are unfinished: one request needs none.
 */
export async function sendInPiecesTo(
  server: Server,
  token: string,
  source: SizedSource,
  target: LinkTarget,
  transfer: Transfer,
): Promise<{ name: string; size: number } | undefined> {
  const upload = openUpload(server, linkDoor(createSingleCall(server), token), source, transfer)
  try {
    return await attemptAll(server, async () => upload, target, transfer)
  } catch (error) {
    if (hasTooMany(error)) return undefined
    // After a refusal nobody goes on with it.
    if (error instanceof ApiError) await upload.discard().catch(() => undefined)
    throw error
  }
}
