/** Sends a large file in pieces: after a broken line it goes on where the server has come to. */
import { createClient, requestOf } from '../../../src/api/client.ts'
import { hasTooMany, type LinkTarget, linkDoor } from '../../../src/api/link-door.ts'
import { discardLinkUpload } from '../../../src/api/link-uploads.ts'
import { openResumable, type Resumable } from '../../../src/api/resumable.ts'
import { NotResumable } from '../../../src/api/resumable-doors.ts'
import { apiUrl } from '../../lib/server/config.ts'
import { isUnreached, metadataProblems, waitOf } from '../../lib/uploads/failures.ts'
import { token } from '../link-calls.ts'
import { LineBreak, sendRequest } from './request.ts'

interface Sending {
  upload: Resumable<LinkTarget, unknown>
  onProgress: (sent: number) => void
}

/** The uploads that have begun and are no files yet. */
const sendings = new Map<File, Sending>()

function open(file: File): Sending {
  const call = createClient(({ method, url, body = null }) =>
    sendRequest(file, { method, path: url, headers: { 'Content-Type': 'application/json' }, body }),
  )
  const sending: Sending = {
    upload: openResumable(
      {
        send: ({ range, ...piece }, onSent) =>
          range === null
            ? sendRequest(file, { ...piece, body: null })
            : sendRequest(file, { ...piece, body: file.slice(...range), onSent }),
        wait: seconds => new Promise(resolve => setTimeout(resolve, seconds * 1000)),
        onProgress: sent => sending.onProgress(sent),
      },
      linkDoor(call, token),
      file.size,
    ),
    onProgress: () => undefined,
  }
  sendings.set(file, sending)
  return sending
}

/** Bytes of a file that the server has already. */
export const receivedOf = (file: File): number => sendings.get(file)?.upload.received ?? 0

/**
 * Sends what is missing of a file. Returns false if it can only come in one request. Rejects as `sendFile`; a further call
 * goes on.
 */
export async function sendInPieces(
  file: File,
  target: LinkTarget,
  onProgress: (sent: number) => void,
): Promise<boolean> {
  const sending = sendings.get(file) ?? open(file)
  const { upload } = sending
  sending.onProgress = onProgress
  const before = upload.received
  try {
    await upload.upload(target)
    sendings.delete(file)
    return true
  } catch (error) {
    if (error instanceof NotResumable || hasTooMany(error)) {
      sendings.delete(file)
      return false
    }
    // What the visitor gives anew is said when an upload begins.
    if (metadataProblems(error) !== null) dropPieces(file)
    const isBroken = error instanceof LineBreak || (isUnreached(error) && waitOf(error) === undefined)
    throw isBroken ? new LineBreak(false, upload.received > before) : error
  }
}

/** Drops what the server has of a file that is not to be sent any more. What it cannot be told of, it drops in time. */
export function dropPieces(file: File): void {
  const sending = sendings.get(file)
  sendings.delete(file)
  void sending?.upload.discard().catch(() => undefined)
}

/** A page that goes cannot go on with its uploads, which would hold room free for days. */
addEventListener('pagehide', ({ persisted }) => {
  if (persisted) return
  for (const { upload } of sendings.values()) {
    if (upload.id === null) continue
    const { method, url } = requestOf(discardLinkUpload, { token, id: upload.id })
    const headers = { 'Tus-Resumable': '1.0.0' }
    void fetch(apiUrl(url), { method, headers, keepalive: true }).catch(() => undefined)
  }
})
