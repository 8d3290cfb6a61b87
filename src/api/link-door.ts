/** The resumable uploads of a link's visitor. There is no list of them, and no choice of where a file goes. */
import { ApiError, type Call } from './client.ts'
import type { OutputOf } from './endpoint.ts'
import { createLinkUpload, finishLinkUpload } from './link-uploads.ts'
import { type FileTarget, metadataHeader, type ResumableDoor } from './resumable-doors.ts'

/** What a visitor says of a file. */
export interface LinkTarget extends FileTarget {
  sender?: string | undefined
}

/** Whether an upload could not begin, because too many of the address or of the link are unfinished. */
export const hasTooMany = (error: unknown): boolean => error instanceof ApiError && error.code === 'in_use'

export const linkDoor = (call: Call, token: string): ResumableDoor<LinkTarget, OutputOf<typeof finishLinkUpload>> => ({
  path: createLinkUpload.path.replace(':token', encodeURIComponent(token)),
  metadata: metadataHeader,
  findBegun: async () => null,
  finish: (id, _target, sha256) => call(finishLinkUpload, { token, id, sha256 }),
})
