/** Uploads a large file in pieces. An upload that broke off goes on, also after the command was killed and run again. */
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, type Call } from '../src/api/client.ts'
import type { FileDetails } from '../src/api/items.ts'
import { resumableFrom } from '../src/api/limits.ts'
import { openResumable, type PieceAnswer, type PieceRequest, type Resumable } from '../src/api/resumable.ts'
import { isUploadOf, NotResumable, type ResumableTarget } from '../src/api/resumable-target.ts'
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

function openUpload(server: Server, source: SizedSource, transfer: Transfer, begun: string | null): Resumable {
  let shown = 0
  let isFirst = begun !== null
  return openResumable(
    {
      send: (request, onSent) => sendPiece(server, source, request, onSent),
      call: createSingleCall(server),
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
    source.size,
    begun,
  )
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
  let upload: Resumable | undefined
  const attempt = async () => {
    const call = createSingleCall(server)
    upload ??= openUpload(server, source, transfer, mayGoOn ? await findBegun(call, target, source.size) : null)
    return upload.upload(target)
  }
  transfer.begin()
  try {
    return await withRetries(attempt, server.signal, true, () => upload?.received ?? 0)
  } catch (error) {
    if (error instanceof NotResumable) return undefined
    throw error
  } finally {
    if (mayGoOn) onTheWay.delete(sign)
    transfer.end()
  }
}
