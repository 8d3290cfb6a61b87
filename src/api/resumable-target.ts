/** Where a resumable upload goes: what its beginning says, and which unfinished upload is that of a file. */
import type { ConflictRule } from './files.ts'
import { maxUploadMetadataBytes } from './limits.ts'
import type { MetadataValue } from './metadata-values.ts'
import type { UnfinishedUpload } from './tus.ts'

/** Where a file goes. What is undefined when an upload goes on stays as it was said at its beginning. */
export interface ResumableTarget {
  name: string
  /** Null is the root. */
  parent_id: number | null
  on_conflict: ConflictRule
  modified_at?: string | undefined
  metadata?: MetadataValue[] | undefined
}

/** This file cannot be sent so: an older server or a proxy lacks the calls, or its metadata is too long for a header. */
export class NotResumable extends Error {}

function base64(text: string): string {
  return btoa(Array.from(new TextEncoder().encode(text), byte => String.fromCharCode(byte)).join(''))
}

/** Throws `NotResumable` if the header would be too long. */
export function metadataHeader({ name, parent_id, on_conflict, modified_at, metadata }: ResumableTarget): string {
  const fields = {
    ...{ name, on_conflict, parent_id: parent_id === null ? '' : String(parent_id), finish: 'explicit' },
    ...(modified_at === undefined ? {} : { modified_at }),
    ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
  }
  const header = Object.entries(fields)
    .map(([key, value]) => `${key} ${base64(value)}`)
    .join(',')
  if (header.length > maxUploadMetadataBytes) throw new NotResumable('The metadata is too long')
  return header
}

/** Whether an unfinished upload is that of a file: by folder, name, size and time. */
export function isUploadOf(upload: UnfinishedUpload, target: ResumableTarget, size: number): boolean {
  const { parent_id, name, modified_at = null } = target
  // The root of a key for one folder is that folder.
  const isThere = upload.parent_id === parent_id || (parent_id === null && upload.path === '/')
  const isSame = upload.name === name.normalize('NFC') && upload.length === size
  return isThere && isSame && upload.modified_at === modified_at
}
