/** What an upload is: one row of the tray, and the sums over all rows. */
import type { ConflictRule } from '../../../src/api/files.ts'
import type { MetadataField } from '../../../src/api/metadata.ts'
import type { TargetFolder } from './target-folder.ts'

/**
 * `describing` waits for its metadata, `clashing` for a word about the name it has in common with another; `error`
 * stays until somebody retries or removes it.
 */
export type UploadStatus = 'describing' | 'waiting' | 'uploading' | 'clashing' | 'completed' | 'error'

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

/** Rows that neither have arrived nor failed. */
export const openOf = ({ all, completed, failed }: Totals): number => all - completed - failed
