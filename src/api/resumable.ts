/** The client of resumable uploads (tus 1.0): sends a file in pieces, and goes on where an earlier attempt ended. */
import { ApiError, isSuccess, refusalIn } from './client.ts'
import { leastPieceBytes, mostPieceBytes } from './limits.ts'
import {
  checkStored,
  hasCode,
  isOurs,
  isTooLarge,
  isUnknownCall,
  type PieceAnswer,
  type PieceRequest,
  readOffset,
  wrong,
} from './resumable-answers.ts'
import { NotResumable, type ResumableDoor, type StoredFile } from './resumable-doors.ts'
import * as api from './tus.ts'

interface ResumableDeps {
  /** Rejects only if no answer came. `onSent` gets the number of bytes of the body that have left so far. */
  send(request: PieceRequest, onSent: (bytes: number) => void): Promise<PieceAnswer>
  /** Seconds; rejects if the user cancels meanwhile. */
  wait(seconds: number): Promise<void>
  /** The SHA-256 of the whole file, in hex, which is asked for once others' bytes may be in the upload. */
  hash?(): Promise<string>
  /** Gets the upload's id once it is known, and null when the server no longer has it. */
  onId?(id: string | null): void
  /** Gets the number of bytes of the file that are sent or were there; it may become smaller. */
  onProgress(sent: number): void
}

export interface Resumable<Target, Made> {
  /** The upload's id; null before it has begun. */
  readonly id: string | null
  /** Bytes that the server has, as far as is known. */
  readonly received: number
  /**
   * Makes one attempt to send what is missing and to make it a file. After a failure another call goes on.
   * Rejects with `ApiError`, with what `send` rejects with, and with `NotResumable` before anything is stored.
   */
  upload(target: Target): Promise<Made>
  /** Drops the upload and its bytes. */
  discard(): Promise<void>
}

/** How often an upload begins anew because the server no longer has it. */
const mostRestarts = 3
/**
 * How many pieces in a row may bring an upload no whole least piece further; otherwise a server or proxy that confirms
 * nothing, or one byte, gets the file without end. Finding the size of piece that a proxy takes needs 8.
 */
const mostFruitless = 20
/**
 * s in a row for which another process may hold an upload of so many bytes. One that was killed holds it for half a minute,
 * and one that makes a file of it until it has read all of it.
 */
const longestHold = (size: number): number => 900 + Math.floor(size / 50_000_000)
/** s between two questions whether it is still held. */
const longestWait = 60
const version = { 'Tus-Resumable': '1.0.0' }

/** Opens the upload of a file of `size` bytes; `begun` is the id of one that is to go on. */
export function openResumable<Target, Made extends StoredFile>(
  deps: ResumableDeps,
  door: ResumableDoor<Target, Made>,
  size: number,
  begun: string | null = null,
): Resumable<Target, Made> {
  const { wait, onProgress } = deps
  let id = begun
  let received = 0
  /** How far this client has sent: what the server has beyond that came from others. */
  let sentTo = 0
  let hashing: Promise<string> | undefined
  let pieceBytes = mostPieceBytes
  /** Where a piece began that has failed; null if the last one came through. */
  let failedAt: number | null = null
  /** Whether the answer to a beginning was lost. */
  let mayHaveBegun = false
  /** Whether an answer to `finish` was lost: what the next one tells of the file may be a later state of it. */
  let mayHaveFinished = false
  /** The upload that the server did not find last: a link that is paused finds none of its uploads. */
  let missed: string | null = null
  /** s since another process was found to hold the upload. */
  let heldFor = 0

  const ask = (method: string, path: string, headers: Record<string, string>, range: PieceRequest['range'] = null) =>
    deps.send({ method, path, headers: { ...version, ...headers }, range }, bytes => onProgress(received + bytes))
  const pathOf = (upload: string) => `${door.path}/${encodeURIComponent(upload)}`

  function setId(known: string | null): void {
    id = known
    deps.onId?.(known)
  }

  function forget(): void {
    setId(null)
    received = 0
    sentTo = 0
    hashing = undefined
  }

  /** Waits while another process holds the upload. Throws `refusal` if that takes too long. */
  async function waitForHolder(refusal: ApiError): Promise<void> {
    if (heldFor >= longestHold(size)) throw refusal
    const seconds = Math.min(Math.max(refusal.retryAfter ?? 1, 1), longestWait)
    heldFor += seconds
    await wait(seconds)
  }

  function noteReceived(bytes: number): void {
    received = bytes
    onProgress(bytes)
    if (bytes <= sentTo || deps.hash === undefined || hashing !== undefined) return
    hashing = deps.hash()
    // It is awaited at the end.
    hashing.catch(() => undefined)
  }

  async function begin(target: Target): Promise<void> {
    const headers = { 'Upload-Length': String(size), 'Upload-Metadata': door.metadata(target) }
    const found = mayHaveBegun ? await door.findBegun(target, size) : null
    if (found !== null) return setId(found)
    mayHaveBegun = true
    const answer = await ask(api.createUpload.method, door.path, headers)
    mayHaveBegun = false
    if (isUnknownCall(answer)) throw new NotResumable('Unknown call')
    if (!isSuccess(answer)) {
      const refusal = refusalIn(answer)
      // Where none can begin, the one that was not found may still be there: it goes on when the link works again.
      if (refusal.status === 404 && missed !== null) setId(missed)
      throw refusal
    }
    const made = answer.header('Location')?.split('/').at(-1) ?? ''
    if (made === '') throw refusalIn(answer)
    missed = null
    mayHaveFinished = false
    setId(made)
  }

  /** Asks how far the upload has come; forgets one that is gone. */
  async function look(upload: string): Promise<void> {
    for (;;) {
      const answer = await ask(api.findUpload.method, pathOf(upload), {})
      if (isSuccess(answer)) return noteReceived(readOffset(answer, size))
      if (!isOurs(answer)) throw refusalIn(answer)
      // All bytes are there, but they could not become a file.
      if (answer.status === 409) return noteReceived(size)
      if (answer.status === 404) {
        missed = upload
        return forget()
      }
      if (answer.status !== 423) throw refusalIn(answer)
      await waitForHolder(refusalIn(answer))
    }
  }

  /** Looks after a piece has failed; the next one is smaller if nothing of it came through. */
  async function lookAfterFailure(upload: string): Promise<void> {
    await look(upload)
    if (id !== null && received === failedAt) pieceBytes = Math.max(leastPieceBytes, pieceBytes / 2)
    failedAt = null
  }

  /** Returns whether the server took the piece in hand: another process may hold the upload for half a minute. */
  async function sendPiece(upload: string): Promise<boolean> {
    const to = Math.min(received + pieceBytes, size)
    const headers = { 'Upload-Offset': String(received), 'Content-Type': 'application/offset+octet-stream' }
    failedAt = received
    sentTo = Math.max(sentTo, to)
    const answer = await ask(api.appendUpload.method, pathOf(upload), headers, [received, to])
    if (isSuccess(answer)) {
      failedAt = null
      heldFor = 0
      noteReceived(readOffset(answer, to))
      return true
    }
    const mayBeSmaller = isTooLarge(answer) && pieceBytes > leastPieceBytes
    const isElsewhere = isOurs(answer) && [404, 409, 423].includes(answer.status)
    if (!mayBeSmaller && !isElsewhere) throw refusalIn(answer)
    // A smaller piece would be refused as well.
    if (isElsewhere) failedAt = null
    if (answer.status === 423) await waitForHolder(refusalIn(answer))
    const from = received
    await lookAfterFailure(upload)
    // Another look would say the same again.
    if (answer.status === 409 && received === from && id !== null) throw refusalIn(answer)
    return answer.status !== 423
  }

  /** Returns null if the upload has to be sent further, or anew. */
  async function finish(upload: string, target: Target): Promise<Made | null> {
    const sha256 = await hashing
    for (;;) {
      try {
        const made = await door.finish(upload, target, sha256)
        return mayHaveFinished ? made : checkStored(made, size, sha256)
      } catch (error) {
        // A proxy's answer tells nothing of the server's.
        mayHaveFinished ||= !(error instanceof ApiError) || error.code === undefined
        if (hasCode(error, 'locked')) await waitForHolder(error)
        else if (hasCode(error, 'offset_mismatch') || hasCode(error, 'not_found')) {
          await look(upload)
          if (id !== null && received === size) throw error
          return null
        } else if (hasCode(error, 'checksum_mismatch')) {
          // The server has dropped it.
          forget()
          return null
        } else throw error
      }
    }
  }

  async function attempt(target: Target): Promise<Made | null> {
    if (id !== null) await lookAfterFailure(id)
    if (id === null) await begin(target)
    let goal = 0
    for (let fruitless = 0; id !== null && received < size; ) {
      if (received >= goal) {
        fruitless = 0
        goal = Math.min(size, received + leastPieceBytes)
      } else if (fruitless >= mostFruitless) throw wrong({ status: 200 }, 'The server does not get on with the upload')
      if (await sendPiece(id)) fruitless += 1
    }
    return id === null ? null : finish(id, target)
  }

  return {
    get id() {
      return id
    },
    get received() {
      return received
    },
    upload: async target => {
      heldFor = 0
      for (let restarts = 0; restarts <= mostRestarts; restarts += 1) {
        const made = await attempt(target)
        if (made !== null) return made
      }
      throw new Error('The server no longer has the bytes that were sent')
    },
    discard: async () => {
      if (id === null) return
      const answer = await ask(api.discardUpload.method, pathOf(id), {})
      if (!isSuccess(answer) && answer.status !== 404) throw refusalIn(answer)
      forget()
    },
  }
}
