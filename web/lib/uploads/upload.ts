/** The state of an upload: one row of the tray, and the sums over all rows. */
import type { ConflictRule } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import type { MetadataField } from '../../../src/api/metadata.ts'
import type { Unfinished } from './kept-uploads.ts'
import type { TargetFolder } from './target-folder.ts'

/**
 * `describing` waits for its metadata, `clashing` for an answer about its taken name. `error` stays until the user
 * retries or removes it. `unfinished` was begun before the page was loaded, and waits for its file.
 */
export type UploadStatus = 'unfinished' | 'describing' | 'waiting' | 'uploading' | 'clashing' | 'completed' | 'error'

/** Files added together, so that one answer can apply to all of them. */
export interface Batch {
  /** What to do with every further taken name; null asks. */
  rule: ConflictRule | 'skip' | null
  /** Whether the user dismissed its questions. They come back through the button on a row. */
  isQuiet: boolean
  /** How many files the metadata dialog has asked about, and how many in total. */
  described: number
  toDescribe: number
}

export interface Upload {
  readonly id: number
  readonly batch: Batch
  readonly name: string
  /** Bytes; 0 for a folder. */
  readonly size: number
  /** Null for a folder that only needs creating, and for a file that could not be read. */
  readonly file: File | null
  readonly isFolder: boolean
  readonly target: TargetFolder
  readonly status: UploadStatus
  /** Bytes sent. */
  readonly sent: number
  /** How many of them were sent before it started this time. */
  readonly sentBefore: number
  /** When sending began, in ms of `performance.now()`. */
  readonly startedAt: number
  /** Why it failed; of one that has arrived, its new name because its own was taken, and that it waits for approval. */
  readonly note: string | null
  readonly rule: ConflictRule
  /** The fields of the metadata dialog; empty until they are loaded. */
  readonly fields: readonly MetadataField[]
  /** How often it has waited for a server that did not answer, since the user last asked for it. */
  readonly waits: number
  /** Whether it is sent in pieces, so that it goes on where it broke off. */
  readonly isInPieces: boolean
  /** Bytes that it had come to when its line broke the last time. */
  readonly reached: number
  /** The upload that an earlier page has begun; null for none. */
  readonly begun: Unfinished | null
  /** Whether it goes by itself, because a request with others failed. */
  readonly isAlone: boolean
  /** Whether an earlier request with it may have arrived. */
  readonly isUnsure: boolean
  /** Whether it failed because the storage that it goes into has too little room. */
  readonly isOverQuota: boolean
  /** Whether it failed because its folder is gone, or no longer open to the user. */
  readonly isFolderLost: boolean
  /** Values from the metadata dialog, by field id. */
  readonly values: ReadonlyMap<number, string>
  /** The server's errors about the values, by field name; null when there are none. */
  readonly problems: Readonly<Record<string, string>> | null
  /** What Retry does instead of sending: read again what could not be read. */
  readonly again: (() => void) | null
}

/** How much of it need not be sent again. */
export const sentOf = ({ isInPieces, sent }: Upload): number => (isInPieces ? sent : 0)

/** What the user would not expect of a file that arrived; null for nothing. */
export function noteOn(item: FileItem, name: string): string | null {
  const notes = [
    item.name !== name.normalize('NFC') && `saved as ${item.name}`,
    item.validation_status === 'pending' && 'waits for approval',
  ].filter(Boolean)
  return notes.length === 0 ? null : notes.join(' · ')
}

/** Sums over all rows of the current work, including completed rows that are gone; of unfinished ones only the number. */
export interface Totals {
  all: number
  completed: number
  failed: number
  unfinished: number
  describing: number
  clashing: number
  /** Bytes of everything that has not failed, and how many of them are sent. */
  bytes: number
  sent: number
}

/** The number of rows that are neither completed nor failed. */
export const openOf = ({ all, completed, failed }: Totals): number => all - completed - failed
