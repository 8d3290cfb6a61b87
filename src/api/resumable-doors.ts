/** Where resumable uploads go: to the folders of the signed-in user, or elsewhere (link-door.ts). */
import type { Call } from './client.ts'
import type { ConflictRule } from './files.ts'
import type { ItemAnswer } from './items.ts'
import { maxUploadMetadataBytes } from './limits.ts'
import type { MetadataValue } from './metadata-values.ts'
import * as api from './tus.ts'

/** What the answer tells of a file that was made. */
export interface StoredFile {
  size: number
  /** Hex; left out or null where it is not told. */
  sha256?: string | null
}

/** How uploads begin somewhere, and become files. */
export interface ResumableDoor<Target, Made extends StoredFile> {
  /** Where they begin, relative to the API base. */
  path: string
  /** The header Upload-Metadata. Throws `NotResumable` if it would be too long. */
  metadata(target: Target): string
  /** The id of the upload that was begun by a request whose answer was lost; null if there is none, or nobody tells. */
  findBegun(target: Target, size: number): Promise<string | null>
  finish(id: string, target: Target, sha256: string | undefined): Promise<Made>
}

/** What is said of a file when its upload begins. What is undefined when it goes on stays as it was said then. */
export interface FileTarget {
  name: string
  modified_at?: string | undefined
  metadata?: MetadataValue[] | undefined
}

/** Where a user's file goes. */
export interface ResumableTarget extends FileTarget {
  /** Null is the root. */
  parent_id: number | null
  on_conflict: ConflictRule
}

/** This file cannot be sent so: an older server or a proxy lacks the calls, or its metadata is too long for a header. */
export class NotResumable extends Error {}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''))
}

interface HeaderFields extends FileTarget {
  parent_id?: number | ''
  on_conflict?: ConflictRule
  sender?: string | undefined
}

/** Throws `NotResumable` if the header would be too long. */
export function metadataHeader({ metadata, ...texts }: HeaderFields): string {
  const values = metadata === undefined ? undefined : JSON.stringify(metadata)
  const fields = { ...texts, metadata: values, finish: 'explicit' }
  const header = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key} ${base64(String(value))}`)
    .join(',')
  if (header.length > maxUploadMetadataBytes) throw new NotResumable('The metadata is too long')
  return header
}

/** Whether an unfinished upload is that of a file: by folder, name, size and time. */
export function isUploadOf(upload: api.UnfinishedUpload, target: ResumableTarget, size: number): boolean {
  const { parent_id, name, modified_at = null } = target
  // The root of a key for one folder is that folder.
  const isThere = upload.parent_id === parent_id || (parent_id === null && upload.path === '/')
  const isSame = upload.name === name.normalize('NFC') && upload.length === size
  return isThere && isSame && upload.modified_at === modified_at
}

/** The uploads of the signed-in user. */
export const userDoor = (call: Call): ResumableDoor<ResumableTarget, ItemAnswer['file']> => ({
  path: api.createUpload.path,
  metadata: target => metadataHeader({ ...target, parent_id: target.parent_id ?? '' }),
  findBegun: async (target, size) => {
    const { uploads } = await call(api.listUploads, {})
    // It has no bytes yet, so that any file may go there.
    return uploads.find(each => each.received === 0 && isUploadOf(each, target, size))?.id ?? null
  },
  finish: async (id, { modified_at: _, ...place }, sha256) =>
    (await call(api.finishUpload, { id, ...place, sha256 })).file,
})
