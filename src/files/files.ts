/** What goes on with the files of a server, opened once and offered to each door through which they come and go. */
import type { Actor } from '../access/actor.ts'
import type { FileDetails } from '../api/items.ts'
import type { FileBytes, StreamedBytes } from '../blobs/file-bytes.ts'
import type { Allowance, ReceivedBlob } from '../blobs/receive.ts'
import type { Deps } from '../deps.ts'
import { archiveFolder, archiveItems } from './archive/archive.ts'
import { checkUpload } from './check-upload.ts'
import { openThumbnails } from './thumbnail/thumbnail.ts'
import { openUnderWay } from './under-way.ts'
import type { UploadInput } from './upload.ts'
import { openUploads } from './upload-group.ts'

export interface Files {
  /** Refuses what can be refused of an upload at its first byte, and says how much may come: see check-upload.ts. */
  admitUpload(actor: Actor, input: UploadInput, contentLength: number | null): Promise<Allowance>
  /** Gives what came in its place in the tree: see upload-group.ts. */
  upload(actor: Actor, input: UploadInput, fileName: string, blob: ReceivedBlob): Promise<FileDetails>
  /** See thumbnail/thumbnail.ts. */
  getThumbnail(actor: Actor, id: number): Promise<FileBytes>
  /** A folder, or some items, as a ZIP file: see archive/archive.ts. */
  archiveFolder(actor: Actor, id: number): Promise<StreamedBytes>
  archiveItems(actor: Actor, ids: readonly number[]): Promise<StreamedBytes>
}

/**
 * Opens what a process has once, however many doors use it: the count of uploads under way, the groups of small files that
 * wait for one write, and the thumbnails that are being made.
 */
export function openFiles(deps: Deps): Files {
  const begin = openUnderWay(deps.db)
  return {
    admitUpload: (actor, input, contentLength) => checkUpload({ ...deps, begin }, actor, input, contentLength),
    upload: openUploads(deps),
    getThumbnail: openThumbnails(deps),
    archiveFolder: (actor, id) => archiveFolder(deps, actor, id),
    archiveItems: (actor, ids) => archiveItems(deps, actor, ids),
  }
}
