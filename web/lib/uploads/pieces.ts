/** Sends large files in pieces, and remembers the unfinished ones, so that they go on after a broken line or a reload. */
import type { Call } from '../../../src/api/client.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { openResumable, type Resumable } from '../../../src/api/resumable.ts'
import type { PieceAnswer, PieceRequest } from '../../../src/api/resumable-answers.ts'
import { type ResumableTarget, userDoor } from '../../../src/api/resumable-doors.ts'
import { discardUpload, finishUpload, listUploads } from '../../../src/api/tus.ts'
import { handleOf } from '../../ui/picked-files.ts'
import type { KeptUpload, KeptUploads, Unfinished } from './kept-uploads.ts'
import type { After } from './rows.ts'
import { hashStart, isFileOf } from './same-file.ts'
import type { Upload } from './upload.ts'
import { timeOf, type UploadRequest } from './upload-form.ts'

/** Milliseconds after which a cancelled upload is dropped on the server: Undo is offered for less. */
const undoTime = 20_000

interface PiecesRequest extends UploadRequest {
  /** The folder for people; empty if unknown. */
  folderName: string
  /** The upload that goes on; null to begin one, or to find it. */
  begun: string | null
  /** Called with its id once it is known. */
  onBegun: (id: string) => void
}

interface PieceDeps {
  call: Call
  /** Sends one request of the protocol. Rejects with `LineError` when no answer came. */
  sendPiece(
    file: File,
    request: PieceRequest,
    onSent: (bytes: number) => void,
    signal: AbortSignal,
  ): Promise<PieceAnswer>
  kept: KeptUploads
  /** Takes an upload for this tab; null if another tab has it. */
  hold(id: string): Promise<(() => void) | null>
  /** The signed-in user. */
  userId(): number | undefined
  after: After
}

export interface Pieces {
  /** Sends a file, or the rest of it. Rejects as `UploadDeps.send`, and with `NotResumable`. */
  send(request: PiecesRequest): Promise<FileItem>
  /** Makes an upload with all its bytes a file. */
  finish(id: string, request: Pick<UploadRequest, 'parentId' | 'rule' | 'metadata'>): Promise<FileItem>
  /** Drops an upload that the user has cancelled, unless Undo brings it back in time. */
  abandon(upload: Pick<Upload, 'file' | 'begun'>): void
  /** Keeps one after all. */
  takeBack(upload: Pick<Upload, 'file' | 'begun'>): void
  /** The user's uploads of this browser that are unfinished and no tab has. */
  findUnfinished(): Promise<Unfinished[]>
}

/** The upload of a file, and the request that it runs for. */
interface Sending {
  upload: Resumable<ResumableTarget, FileItem>
  request: PiecesRequest
}

function targetOf({ file, parentId, rule, metadata }: UploadRequest): ResumableTarget {
  return {
    ...{ name: file.name, parent_id: parentId, on_conflict: rule, modified_at: timeOf(file) ?? undefined },
    ...(metadata.length === 0 ? {} : { metadata: [...metadata] }),
  }
}

const sleep = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(new Error('Upload cancelled'))
    })
  })

export function openPieces({ call, sendPiece, kept, hold, userId, after }: PieceDeps): Pieces {
  const sendings = new WeakMap<File, Sending>()
  /** The uploads that this tab has, with what gives each back. */
  const held = new Map<string, () => void>()
  /** The uploads that are being sent, or wait for that. */
  const inUse = new Set<string>()
  /** Cancelled uploads that are to be dropped. */
  const abandoned = new Map<string, symbol>()

  const idOf = ({ file, begun }: Pick<Upload, 'file' | 'begun'>): string | null =>
    (file === null ? undefined : sendings.get(file)?.upload.id) ?? begun?.id ?? null

  async function take(id: string): Promise<boolean> {
    if (held.has(id)) return true
    const leave = await hold(id)
    if (leave !== null) held.set(id, leave)
    return leave !== null
  }

  /** Forgets an upload that is finished or gone. What cannot be forgotten is found to be gone at the next visit. */
  function forget(id: string): void {
    held.get(id)?.()
    held.delete(id)
    inUse.delete(id)
    void kept.delete(id).catch(() => undefined)
  }

  /** Remembers an upload. Where the browser stores nothing, it goes on as long as the page is open. */
  async function keep(id: string, { file, parentId, folderName }: PiecesRequest): Promise<void> {
    const user = userId()
    if (user === undefined || !(await take(id))) return
    const [start, handle] = await Promise.all([hashStart(file), handleOf(file)])
    const { name, size, lastModified } = file
    const place = { id, userId: user, folderId: parentId, folderName }
    if (held.has(id)) await kept.put({ ...place, name, size, lastModified, start, handle })
  }

  async function ownOnes(): Promise<KeptUpload[]> {
    const all = await kept.all().catch(() => [])
    return all.filter(each => each.userId === userId())
  }

  /** An unfinished upload of the same file to the same folder that is not being sent. */
  async function findBegun({ file, parentId }: PiecesRequest): Promise<string | null> {
    for (const each of await ownOnes()) {
      const isThere = each.folderId === parentId && each.name === file.name && !inUse.has(each.id)
      if (isThere && (await isFileOf(each, file)) && (await take(each.id))) return each.id
    }
    return null
  }

  function open(file: File, begun: string | null, request: PiecesRequest): Sending {
    let known = begun
    const upload = openResumable(
      {
        send: (piece, onSent) => sendPiece(file, piece, onSent, sending.request.signal),
        wait: seconds => sleep(seconds, sending.request.signal),
        onProgress: sent => sending.request.onProgress(sent),
        onId: id => {
          if (known !== null) forget(known)
          known = id
          if (id === null) return
          inUse.add(id)
          sending.request.onBegun(id)
          void keep(id, sending.request).catch(() => undefined)
        },
      },
      userDoor(call),
      file.size,
      begun,
    )
    const sending: Sending = { upload, request }
    sendings.set(file, sending)
    return sending
  }

  async function begin(request: PiecesRequest): Promise<Sending> {
    const { begun } = request
    if (begun !== null) await take(begun)
    const found = begun ?? (await findBegun(request))
    request.signal.throwIfAborted()
    if (found !== null) {
      inUse.add(found)
      request.onBegun(found)
    }
    return open(request.file, found, request)
  }

  async function discard(id: string): Promise<void> {
    const send = { method: discardUpload.method, path: discardUpload.path.replace(':id', id), range: null }
    const headers = { 'Tus-Resumable': '1.0.0' }
    const { status } = await sendPiece(
      new File([], ''),
      { ...send, headers },
      () => undefined,
      new AbortController().signal,
    )
    // Otherwise it stays, and can be continued or discarded later.
    if (status === 204 || status === 404) forget(id)
  }

  return {
    send: async request => {
      const sending = sendings.get(request.file) ?? (await begin(request))
      sending.request = request
      const item = await sending.upload.upload(targetOf(request))
      if (sending.upload.id !== null) forget(sending.upload.id)
      sendings.delete(request.file)
      return item
    },
    finish: async (id, { parentId, rule, metadata }) => {
      const values = metadata.length === 0 ? {} : { metadata: [...metadata] }
      const { file } = await call(finishUpload, { id, parent_id: parentId, on_conflict: rule, ...values })
      forget(id)
      return file
    },
    abandon: upload => {
      const id = idOf(upload)
      if (id === null) return
      const [now, owner] = [Symbol(id), userId()]
      abandoned.set(id, now)
      after(undoTime, () => {
        if (abandoned.get(id) !== now) return
        abandoned.delete(id)
        // Whoever has signed in meanwhile would be told that it is not there.
        if (userId() === owner) void discard(id).catch(() => undefined)
      })
    },
    takeBack: upload => void abandoned.delete(idOf(upload) ?? ''),
    findUnfinished: async () => {
      const own = await ownOnes()
      if (own.length === 0) return []
      const { uploads } = await call(listUploads, {})
      const unfinished: Unfinished[] = []
      for (const each of own) {
        const upload = uploads.find(({ id }) => id === each.id)
        if (held.has(each.id) || !(await take(each.id))) continue
        if (upload === undefined) forget(each.id)
        else unfinished.push({ ...each, received: upload.received })
      }
      return unfinished
    },
  }
}
