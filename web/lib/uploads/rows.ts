/**
 * The rows of the tray, by id. Changes are published at most five times a second, and only to subscribers of that row
 * or of the list, so that thousands of rows cost no more than those in view.
 */
import { create, type StoreApi, type UseBoundStore } from 'zustand'
import { openOf, type Totals, type Upload, type UploadStatus } from './upload.ts'

interface UploadList {
  ids: readonly number[]
  totals: Totals
  /** The rows that wait for the user's answer, oldest first. */
  describing: readonly number[]
  clashing: readonly number[]
}

/** Calls a function after some milliseconds; tests may use a faster one. */
export type After = (milliseconds: number, run: () => void) => void

export interface Rows {
  useList: UseBoundStore<StoreApi<UploadList>>
  byId: Map<number, Upload>
  /** The current sums; those in `useList` are up to a fifth of a second old. */
  totals: Totals
  /** The subscribers of each row, by its id. */
  watchers: Map<number, Set<() => void>>
  changed: Set<number>
  isListChanged: boolean
  isTellingPlanned: boolean
  /** In ms of `performance.now()`. */
  lastTold: number
  after: After
}

const nothing = (): Totals => ({
  all: 0,
  completed: 0,
  failed: 0,
  unfinished: 0,
  describing: 0,
  clashing: 0,
  bytes: 0,
  sent: 0,
})

/** Milliseconds between two publications of changes: rendering them takes CPU time from the uploads. */
const tellPause = 200

export const openRows = (after: After): Rows => ({
  useList: create<UploadList>(() => ({ ids: [], totals: nothing(), describing: [], clashing: [] })),
  byId: new Map(),
  totals: nothing(),
  watchers: new Map(),
  changed: new Set(),
  isListChanged: false,
  isTellingPlanned: false,
  lastTold: Number.NEGATIVE_INFINITY,
  after,
})

export const allUploads = ({ byId }: Rows): Upload[] => [...byId.values()]

/** An empty file counts as one byte, since it takes a request too. */
const weightOf = ({ size }: Upload): number => Math.max(1, size)

function count(totals: Totals, upload: Upload, sign: 1 | -1): void {
  const { status } = upload
  if (status === 'unfinished') {
    totals.unfinished += sign
    return
  }
  totals.all += sign
  if (status === 'error') totals.failed += sign
  else totals.bytes += sign * weightOf(upload)
  if (status === 'completed') totals.completed += sign
  if (status === 'describing' || status === 'clashing') totals[status] += sign
  if (status === 'completed') totals.sent += sign * weightOf(upload)
  if (status === 'uploading' || status === 'waiting') totals.sent += sign * Math.min(upload.sent, weightOf(upload))
}

function put(rows: Rows, upload: Upload): void {
  const before = rows.byId.get(upload.id)
  if (before !== undefined) count(rows.totals, before, -1)
  count(rows.totals, upload, 1)
  rows.byId.set(upload.id, upload)
  rows.changed.add(upload.id)
  if (before?.status !== upload.status) rows.isListChanged = true
}

/** Adds rows at the end. If no work was open, the sums start again and no longer count completed rows that are gone. */
export function addRows(rows: Rows, uploads: readonly Upload[]): void {
  if (openOf(rows.totals) === 0) {
    rows.totals = nothing()
    for (const upload of rows.byId.values()) count(rows.totals, upload, 1)
  }
  for (const upload of uploads) put(rows, upload)
  planTelling(rows)
}

/** Changes a row, if it is still there. */
export function changeRow(rows: Rows, id: number, change: Partial<Upload>): void {
  const before = rows.byId.get(id)
  if (before === undefined) return
  put(rows, { ...before, ...change })
  planTelling(rows)
}

/** Removes a row. A completed one stays in the sums. */
export function dropRow(rows: Rows, id: number): void {
  const upload = rows.byId.get(id)
  if (upload === undefined) return
  if (upload.status !== 'completed') count(rows.totals, upload, -1)
  rows.byId.delete(id)
  rows.changed.add(id)
  rows.isListChanged = true
  planTelling(rows)
}

function planTelling(rows: Rows): void {
  if (rows.isTellingPlanned) return
  rows.isTellingPlanned = true
  rows.after(Math.max(0, rows.lastTold + tellPause - performance.now()), () => tell(rows))
}

function tell(rows: Rows): void {
  rows.isTellingPlanned = false
  rows.lastTold = performance.now()
  const idsWith = (status: UploadStatus) =>
    allUploads(rows)
      .filter(upload => upload.status === status)
      .map(({ id }) => id)
  const lists = rows.isListChanged
    ? {
        ids: [...rows.byId.keys()],
        describing: rows.totals.describing > 0 ? idsWith('describing') : [],
        clashing: rows.totals.clashing > 0 ? idsWith('clashing') : [],
      }
    : {}
  rows.isListChanged = false
  rows.useList.setState({ totals: { ...rows.totals }, ...lists })
  for (const id of rows.changed) for (const notify of rows.watchers.get(id) ?? []) notify()
  rows.changed.clear()
}

/** Calls `notify` whenever the row changes; returns the unsubscribe function. */
export function watchRow({ watchers }: Rows, id: number, notify: () => void): () => void {
  const own = watchers.get(id) ?? new Set()
  watchers.set(id, own.add(notify))
  return () => {
    own.delete(notify)
    if (own.size === 0) watchers.delete(id)
  }
}
