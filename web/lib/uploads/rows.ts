/**
 * The rows of the tray, by id. A change is told at most five times a second, and only to who watches that row or the
 * list, so that thousands of rows cost no more than those in view.
 */
import { useCallback, useSyncExternalStore } from 'react'
import { create } from 'zustand'
import type { ConflictRule } from '../../../src/api/files.ts'
import type { MetadataField } from '../../../src/api/metadata.ts'
import type { TargetFolder } from './target-folder.ts'

/**
 * `describing` waits for its metadata, `clashing` for a word about the name it has in common with another; `error`
 * stays until somebody retries or removes it.
 */
type UploadStatus = 'describing' | 'waiting' | 'uploading' | 'clashing' | 'completed' | 'error'

/** Files that were added together: an answer can be meant for all of them. */
export interface Batch {
  /** What happens to every further name that is taken; null asks. */
  rule: ConflictRule | 'skip' | null
  /** Whether its questions were put away; they come back by the button on a row. */
  isQuiet: boolean
  /** Files that the metadata dialog has asked about, and how many it asks about in all. */
  described: number
  toDescribe: number
}

export interface Upload {
  readonly id: number
  readonly batch: Batch
  readonly name: string
  /** Bytes; 0 for a folder. */
  readonly size: number
  /** Null for a folder that is only made, and for what could not be read. */
  readonly file: File | null
  readonly isFolder: boolean
  readonly target: TargetFolder
  readonly status: UploadStatus
  /** Bytes that have left. */
  readonly sent: number
  /** When sending began, in ms of `performance.now()`. */
  readonly startedAt: number
  /** Why it failed, or the name it was given when its own was taken. */
  readonly note: string | null
  readonly rule: ConflictRule
  /** What the metadata dialog asks for; none before that is known. */
  readonly fields: readonly MetadataField[]
  /** Whether it has waited for a server that did not answer once: what fails so again then fails for good. */
  readonly hasWaited: boolean
  /** Values of the metadata dialog by the field's id. */
  readonly values: ReadonlyMap<number, string>
  /** What the server said of the values, by the field's name; null where it said nothing. */
  readonly problems: Readonly<Record<string, string>> | null
  /** What Retry does in place of sending: to read again what could not be read. */
  readonly again: (() => void) | null
}

/** Sums over all rows of the work in hand, those that have completed and gone among them. */
export interface Totals {
  all: number
  completed: number
  failed: number
  describing: number
  clashing: number
  /** Bytes of what has not failed, and how many of them have left. */
  bytes: number
  sent: number
}

interface UploadList {
  ids: readonly number[]
  totals: Totals
  /** The rows that wait for a word, the first ones first. */
  describing: readonly number[]
  clashing: readonly number[]
}

const nothing = (): Totals => ({ all: 0, completed: 0, failed: 0, describing: 0, clashing: 0, bytes: 0, sent: 0 })

/** Rows that neither have arrived nor failed. */
export const openOf = ({ all, completed, failed }: Totals): number => all - completed - failed

/** Milliseconds between two times that changes are told: drawing them takes the processor away from the uploads. */
const tellPause = 200

export const useUploadList = create<UploadList>(() => ({ ids: [], totals: nothing(), describing: [], clashing: [] }))

const rows = new Map<number, Upload>()
let totals = nothing()
const watchers = new Map<number, Set<() => void>>()
const changed = new Set<number>()
let isListChanged = false
let isTellingPlanned = false
let lastTold = Number.NEGATIVE_INFINITY

/** The sums as they are now; the store's are up to a fifth of a second old. */
export const totalsNow = (): Readonly<Totals> => totals
export const findUpload = (id: number): Upload | undefined => rows.get(id)
export const allUploads = (): Upload[] => [...rows.values()]

/** Even an empty file is some work. */
const weightOf = ({ size }: Upload): number => Math.max(1, size)

function count(upload: Upload, sign: 1 | -1): void {
  const { status } = upload
  totals.all += sign
  if (status === 'error') totals.failed += sign
  else totals.bytes += sign * weightOf(upload)
  if (status === 'completed') totals.completed += sign
  if (status === 'describing' || status === 'clashing') totals[status] += sign
  if (status === 'completed') totals.sent += sign * weightOf(upload)
  if (status === 'uploading') totals.sent += sign * Math.min(upload.sent, weightOf(upload))
}

function put(upload: Upload): void {
  const before = rows.get(upload.id)
  if (before !== undefined) count(before, -1)
  count(upload, 1)
  rows.set(upload.id, upload)
  changed.add(upload.id)
  if (before?.status !== upload.status) isListChanged = true
}

/** Adds rows at the end. What completed earlier and has gone is no longer counted, unless it is still the same work. */
export function addRows(uploads: readonly Upload[]): void {
  if (openOf(totals) === 0) {
    totals = nothing()
    for (const upload of rows.values()) count(upload, 1)
  }
  for (const upload of uploads) put(upload)
  planTelling()
}

/** Changes a row, if it is still there. */
export function changeRow(id: number, change: Partial<Upload>): void {
  const before = rows.get(id)
  if (before === undefined) return
  put({ ...before, ...change })
  planTelling()
}

/** Takes a row away. One that completed stays in the sums. */
export function dropRow(id: number): void {
  const upload = rows.get(id)
  if (upload === undefined) return
  if (upload.status !== 'completed') count(upload, -1)
  rows.delete(id)
  changed.add(id)
  isListChanged = true
  planTelling()
}

function planTelling(): void {
  if (isTellingPlanned) return
  isTellingPlanned = true
  setTimeout(tell, Math.max(0, lastTold + tellPause - performance.now()))
}

function tell(): void {
  isTellingPlanned = false
  lastTold = performance.now()
  const idsWith = (status: UploadStatus) =>
    allUploads()
      .filter(upload => upload.status === status)
      .map(({ id }) => id)
  const lists = isListChanged
    ? {
        ids: [...rows.keys()],
        describing: totals.describing > 0 ? idsWith('describing') : [],
        clashing: totals.clashing > 0 ? idsWith('clashing') : [],
      }
    : {}
  isListChanged = false
  useUploadList.setState({ totals: { ...totals }, ...lists })
  for (const id of changed) for (const notify of watchers.get(id) ?? []) notify()
  changed.clear()
}

/** A row as it is, and again whenever it changes; undefined when it has gone, and for no id. */
export function useUpload(id: number | undefined): Upload | undefined {
  const watch = useCallback(
    (notify: () => void) => {
      if (id === undefined) return () => undefined
      const own = watchers.get(id) ?? new Set()
      watchers.set(id, own.add(notify))
      return () => {
        own.delete(notify)
        if (own.size === 0) watchers.delete(id)
      }
    },
    [id],
  )
  return useSyncExternalStore(watch, () => (id === undefined ? undefined : rows.get(id)))
}
