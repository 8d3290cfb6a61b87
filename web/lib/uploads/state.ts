/** What the uploads of a page are made of: what they need, their rows, and the queue. */
import type { StoreApi, UseBoundStore } from 'zustand'
import type { Call } from '../../../src/api/client.ts'
import type { FileItem } from '../../../src/api/items.ts'
import type { Arrivals } from './arrivals.ts'
import type { After, Rows } from './rows.ts'
import type { Lines, Run } from './turns.ts'
import type { UploadRequest } from './upload-form.ts'

/** Who is signed in. It stays after the session has ended by itself, until the same user or another signs in. */
export interface SessionState {
  user: { id: number } | null
  isAuthenticated: boolean
}

/** What uploads need of the page around them. */
export interface UploadDeps {
  call: Call
  /** Sends one file. Rejects with `ApiError` for an answer that refuses it, with `LineError` where none came. */
  send(request: UploadRequest): Promise<FileItem>
  /** Resolves once the server answers. */
  waitForServer(): Promise<void>
  session: Pick<StoreApi<SessionState>, 'getState' | 'subscribe'>
  /** Whether the tray is on screen; closing it cancels all that is unfinished. */
  tray: Pick<StoreApi<{ isOpen: boolean }>, 'getState' | 'setState' | 'subscribe'>
  /** Makes the screen show what has arrived. */
  refresh(): Promise<void>
  /** Tells something that can be undone for a while. */
  offerUndo(message: string, undo: () => void): void
  /** Tells a failure that stops nothing. */
  noteFailure(message: string, error: unknown): void
  /** Bytes; a larger file is not sent at all. */
  maxFileSize: number
  after: After
}

export interface Queue extends Lines {
  running: Map<number, Run>
  /** Whose files these are: only with that user's session do they go on. */
  ownerId: number | undefined
  /** Nobody is signed in. */
  isHeld: boolean
  /** Nobody answers. */
  isCutOff: boolean
}

export interface Uploads {
  deps: UploadDeps
  rows: Rows
  queue: Queue
  arrivals: Arrivals
  /** `files`: how many have been found in dropped folders so far; null while none are read. */
  useReading: UseBoundStore<StoreApi<{ files: number | null }>>
  /** Until when nothing is begun because the server asked for it, in ms of `Date.now()`; null while it does not. */
  usePause: UseBoundStore<StoreApi<{ until: number | null }>>
  /** Whether the question about a taken name is on screen. */
  useQuestion: UseBoundStore<StoreApi<{ isAsked: boolean }>>
  /** How many folders are being read. */
  reading: number
  /** The id of the last row that was made. */
  lastId: number
}
