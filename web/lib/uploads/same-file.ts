/** Tells whether a file on the disk is the one that an unfinished upload is of. */
import type { KeptUpload } from './kept-uploads.ts'

/** Bytes at a file's beginning that are compared: hashing all of a large one would take longer than sending it. */
const startBytes = 1024 ** 2

/** The SHA-256 of a file's beginning, in hex; null where the browser computes none. */
export async function hashStart(file: File): Promise<string | null> {
  if (globalThis.crypto?.subtle === undefined) return null
  const digest = await crypto.subtle.digest('SHA-256', await file.slice(0, startBytes).arrayBuffer())
  return Array.from(new Uint8Array(digest), byte => byte.toString(16).padStart(2, '0')).join('')
}

/** Whether the file has the size, time and beginning of the upload's. Rejects if it cannot be read. */
export async function isFileOf({ size, lastModified, start }: KeptUpload, file: File): Promise<boolean> {
  return file.size === size && file.lastModified === lastModified && (await hashStart(file)) === start
}
