/** The file service: file operations with shared state, opened once per process and used by all interfaces. */
import type { Actor, Caller } from '../access/actor.ts'
import type { FileDetails } from '../api/items.ts'
import type { UploadResult } from '../api/upload-many.ts'
import type { FileBytes, StreamedBytes } from '../blobs/file-bytes.ts'
import type { Allowance, ReceivedBlob } from '../blobs/receive.ts'
import type { Deps } from '../deps.ts'
import type { ManyAdmission, SentItem } from '../route.ts'
import { archiveFolder, archiveItems } from './archive/archive.ts'
import { checkReplacement, checkUpload } from './check-upload.ts'
import { openThumbnails } from './thumbnail/thumbnail.ts'
import { openUnderWay } from './under-way.ts'
import type { UploadInput } from './upload.ts'
import { openUploads } from './upload-group.ts'
import { admitMany, type UploadManyInput, uploadMany } from './upload-many.ts'

export interface Files {
  /** Checks an upload at its first byte and returns how many bytes may follow: see check-upload.ts. */
  admitUpload(actor: Caller, input: UploadInput, contentLength: number | null): Promise<Allowance>
  /** Stores a received upload as a file in the tree: see upload-group.ts. */
  upload(actor: Actor, input: UploadInput, fileName: string, blob: ReceivedBlob): Promise<FileDetails>
  /** The same for many files of one request: see upload-many.ts. */
  admitMany(actor: Actor, input: UploadManyInput): Promise<ManyAdmission>
  uploadMany(actor: Actor, input: UploadManyInput, items: readonly SentItem[]): Promise<UploadResult[]>
  /** The same for new content of the file `id`, whose present one `ifMatch` names. */
  admitReplacement(actor: Actor, id: number, ifMatch: string | null, contentLength: number | null): Promise<Allowance>
  /** See thumbnail/thumbnail.ts. */
  getThumbnail(actor: Caller, id: number, isGone: () => boolean): Promise<FileBytes>
  /** A folder, or some items, as a ZIP file: see archive/archive.ts. */
  archiveFolder(actor: Caller, id: number): Promise<StreamedBytes>
  archiveItems(actor: Caller, ids: readonly number[], name?: string): Promise<StreamedBytes>
}

/**
 * Opens the state that a process has only once: the count of uploads in progress, the groups of small files waiting for
 * one write, and the thumbnails being made.
 */
export function openFiles(deps: Deps): Files {
  const begin = openUnderWay(deps.db)
  return {
    admitUpload: (actor, input, contentLength) => checkUpload({ ...deps, begin }, actor, input, contentLength),
    admitReplacement: (actor, id, ifMatch, contentLength) =>
      checkReplacement({ ...deps, begin }, actor, id, ifMatch, contentLength),
    upload: openUploads(deps),
    admitMany: (actor, input) => admitMany({ ...deps, begin }, actor, input),
    uploadMany: (actor, input, items) => uploadMany(deps, actor, input, items),
    getThumbnail: openThumbnails(deps),
    archiveFolder: (actor, id) => archiveFolder(deps, actor, id),
    archiveItems: (actor, ids, name) => archiveItems(deps, actor, ids, name),
  }
}
