/** The parts of a page's uploads: dependencies, rows and queue. */
import type { StoreApi, UseBoundStore } from 'zustand'
import type { Call } from '../../../src/api/client.ts'
import type { FileItem } from '../../../src/api/items.ts'
import type { UploadResult } from '../../../src/api/upload-many.ts'
import type { Arrivals } from './arrivals.ts'
import type { Pieces } from './pieces.ts'
import type { After, Rows } from './rows.ts'
import type { Lines, Run } from './turns.ts'
import type { UploadRequest } from './upload-form.ts'
import type { UploadManyRequest } from './upload-many-form.ts'

/** The signed-in user. It stays after the session expires, until this or another user signs in. */
export interface SessionState {
  user: { id: number } | null
  isAuthenticated: boolean
}

/** What uploads need from the page. */
export interface UploadDeps {
  call: Call
  /** Sends one file. Rejects with `ApiError` when the server refuses it, with `LineError` when no answer came. */
  send(request: UploadRequest): Promise<FileItem>
  /** Sends large files in pieces. */
  pieces: Pieces
  /** Sends several files in one request. Returns the result of each, and rejects as `send` does. */
  sendMany(request: UploadManyRequest): Promise<readonly UploadResult[]>
  /** Resolves once the server answers. */
  waitForServer(): Promise<void>
  session: Pick<StoreApi<SessionState>, 'getState' | 'subscribe'>
  /** Whether the tray is on screen; closing it cancels everything unfinished. */
  tray: Pick<StoreApi<{ isOpen: boolean }>, 'getState' | 'setState' | 'subscribe'>
  /** Refreshes the screen for the uploaded files. */
  refresh(): Promise<void>
  /** Shows a message with an Undo button. */
  offerUndo(message: string, undo: () => void): void
  /** Shows a failure that stops nothing. */
  noteFailure(message: string, error: unknown): void
  /** Bytes; a larger file is never sent. */
  maxFileSize: number
  after: After
}

export interface Queue extends Lines {
  /** The request that each upload is in, by the upload's id. */
  running: Map<number, Run>
  /** The user whose files these are. Uploads continue only in that user's session. */
  ownerId: number | undefined
  /** The session has expired. */
  isHeld: boolean
  /** The server cannot be reached. */
  isCutOff: boolean
}

export interface Uploads {
  deps: UploadDeps
  rows: Rows
  queue: Queue
  arrivals: Arrivals
  /** `files` counts the files found so far in dropped folders; null while none are read. */
  useReading: UseBoundStore<StoreApi<{ files: number | null }>>
  /** No upload starts before this time, at the server's request (ms of `Date.now()`); null for no pause. */
  usePause: UseBoundStore<StoreApi<{ until: number | null }>>
  /** Whether the question about a taken name is on screen. */
  useQuestion: UseBoundStore<StoreApi<{ isAsked: boolean }>>
  /** How many folders are being read. */
  reading: number
  /** The id of the newest row. */
  lastId: number
}
