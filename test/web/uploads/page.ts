/** The page's upload queue with a real server and without a browser: it sends its own form with fetch. */
import { create } from 'zustand'
import { uploadFile } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import type { PieceAnswer, PieceRequest } from '../../../src/api/resumable-answers.ts'
import { type UploadResult, uploadMany } from '../../../src/api/upload-many.ts'
import { addPicked } from '../../../web/lib/uploads/add-uploads.ts'
import { LineError } from '../../../web/lib/uploads/line-error.ts'
import { openUploads } from '../../../web/lib/uploads/open-uploads.ts'
import { openPieces } from '../../../web/lib/uploads/pieces.ts'
import { allUploads } from '../../../web/lib/uploads/rows.ts'
import type { SessionState, UploadDeps, Uploads } from '../../../web/lib/uploads/state.ts'
import type { Upload } from '../../../web/lib/uploads/upload.ts'
import { formOf, readItem, type UploadRequest } from '../../../web/lib/uploads/upload-form.ts'
import { formOfMany, readResults, type UploadManyRequest } from '../../../web/lib/uploads/upload-many-form.ts'
import type { BuiltUser } from '../../support/factories.ts'

export interface UploadPage {
  uploads: Uploads
  /** The names of all files that were sent by themselves, once for each attempt. */
  sent: string[]
  /** The names in each request with several files. */
  groups: string[][]
  /** The messages that offered an Undo, with what it does. */
  offers: { message: string; undo: () => void }[]
  /** Errors that stop nothing. */
  notes: string[]
  session: { setState(state: SessionState): void }
  tray: { getState(): { isOpen: boolean }; setState(state: { isOpen: boolean }): void }
  /** Adds files and folders as a drop into a folder does; null is the root. */
  add(files: readonly File[], folders?: readonly FileSystemDirectoryEntry[], folderId?: number | null): Promise<void>
}

/** The longest wait of the page in these tests, in ms. */
const longestWait = 20

async function sendByFetch(user: BuiltUser, request: UploadRequest): Promise<FileItem> {
  const answer = await user.raw(`/api${uploadFile.path}`, { method: uploadFile.method, body: formOf(request) })
  request.signal.throwIfAborted()
  return readItem(answer.status, await answer.text(), answer.headers.get('Retry-After'))
}

async function sendManyByFetch(user: BuiltUser, request: UploadManyRequest): Promise<readonly UploadResult[]> {
  const { method, path } = uploadMany
  const answer = await user.raw(`/api${path}`, { method, body: formOfMany(request), signal: request.signal })
  return readResults(answer.status, await answer.text(), answer.headers.get('Retry-After'))
}

async function sendPieceByFetch(user: BuiltUser, file: File, request: PieceRequest): Promise<PieceAnswer> {
  const { method, path, headers, range } = request
  const body = range === null ? undefined : Buffer.from(await file.slice(...range).arrayBuffer())
  const answer = await user.raw(`/api${path}`, { method, headers: { ...headers }, body })
  return { status: answer.status, text: await answer.text(), header: name => answer.headers.get(name) }
}

/** Refuses several files at once, as a proxy does that takes no larger bodies. */
export const refuseMany = async () => readResults(413, '<html>', null)

/** Builds the queue; `given` replaces parts of a page whose server answers. If that is `send` alone, each file goes by itself. */
export function openUploadPage(user: BuiltUser, given: Partial<UploadDeps> = {}): UploadPage {
  const sent: string[] = []
  const groups: string[][] = []
  const offers: UploadPage['offers'] = []
  const notes: string[] = []
  const tray = create(() => ({ isOpen: true }))
  const session = create<SessionState>(() => ({ user: { id: user.id }, isAuthenticated: true }))
  const deps: UploadDeps = {
    call: user.call,
    send: request => sendByFetch(user, request),
    sendMany: given.send === undefined ? request => sendManyByFetch(user, request) : refuseMany,
    pieces: openPieces({
      call: user.call,
      sendPiece: (file, request) => sendPieceByFetch(user, file, request),
      kept: { all: async () => [], put: async () => undefined, delete: async () => undefined },
      hold: async () => () => undefined,
      userId: () => user.id,
      after: () => undefined,
    }),
    waitForServer: async () => undefined,
    session,
    tray,
    refresh: async () => undefined,
    offerUndo: (message, undo) => offers.push({ message, undo }),
    noteFailure: message => notes.push(message),
    maxFileSize: 8 * 1024 ** 2,
    after: (milliseconds, run) => void setTimeout(run, Math.min(milliseconds, longestWait)),
    ...given,
  }
  const send = deps.send
  deps.send = request => {
    sent.push(request.file.name)
    return send(request)
  }
  const { sendMany } = deps
  deps.sendMany = request => {
    groups.push(request.files.map(({ file }) => file.name))
    return sendMany(request)
  }
  const uploads = openUploads(deps)
  const add: UploadPage['add'] = (files, folders = [], folderId = null) =>
    addPicked(
      uploads,
      { files: files.map(file => ({ file, folders: [] })), folders, lost: 0 },
      { id: folderId, name: null },
    )
  return { uploads, sent, groups, offers, notes, session, tray, add }
}

export const textFile = (name: string, text = 'some words'): File => new File([text], name, { type: 'text/plain' })

/** The row of a name. */
export function rowOf({ uploads }: UploadPage, name: string): Upload {
  const upload = allUploads(uploads.rows).find(each => each.name === name)
  if (upload === undefined) throw new Error(`no row ${name}`)
  return upload
}

/** The status of each row by name. Completed rows have disappeared. */
export const statuses = ({ uploads }: UploadPage): Record<string, string> =>
  Object.fromEntries(allUploads(uploads.rows).map(({ name, status }) => [name, status]))

/** A dropped folder as the browser presents it: entries come in groups of 100, as in Chromium. */
export function folderEntry(name: string, entries: readonly FileSystemEntry[]): FileSystemDirectoryEntry {
  const createReader = () => {
    const portions = Array.from({ length: Math.ceil(entries.length / 100) + 1 }, (_, index) =>
      entries.slice(index * 100, (index + 1) * 100),
    )
    return { readEntries: (done: (entries: FileSystemEntry[]) => void) => done([...(portions.shift() ?? [])]) }
  }
  return { name, isDirectory: true, isFile: false, createReader } as unknown as FileSystemDirectoryEntry
}

export const fileEntry = (file: File): FileSystemEntry =>
  ({
    name: file.name,
    isDirectory: false,
    isFile: true,
    file: (done: (file: File) => void) => done(file),
  }) as unknown as FileSystemEntry

/** Fails as a broken connection does. */
export const breakLine = async (): Promise<never> => {
  throw new LineError('Upload failed')
}
