/** The calls that a key for one folder may make: those about items in it. All others are about no folder. */
import type { Actor } from '../access/actor.ts'
import { getProfile } from '../api/auth.ts'
import { followChanges, listChanges } from '../api/changes.ts'
import * as content from '../api/content.ts'
import * as files from '../api/files.ts'
import { listUploadFields } from '../api/metadata.ts'
import { searchFiles } from '../api/search.ts'
import { listFileTags } from '../api/tags.ts'
import { deleteFile, restoreFile, trashFile } from '../api/trash.ts'
import * as tus from '../api/tus.ts'
import { uploadMany } from '../api/upload-many.ts'
import { AppError } from '../base/errors.ts'
import type { AnyEndpoint } from '../route.ts'

const allowed: ReadonlySet<AnyEndpoint> = new Set<AnyEndpoint>([
  getProfile,
  files.listFiles,
  files.getFile,
  files.getFolderSize,
  files.getFileByPath,
  files.findFileByPath,
  files.uploadFile,
  uploadMany,
  tus.createUpload,
  tus.findUpload,
  tus.appendUpload,
  tus.discardUpload,
  tus.listUploads,
  tus.finishUpload,
  files.replaceContent,
  files.createFolder,
  files.renameFile,
  files.setModifiedAt,
  files.moveFile,
  files.setFileMetadata,
  files.copyFile,
  content.downloadFile,
  content.previewFile,
  content.getThumbnail,
  content.archiveFolder,
  content.archiveItems,
  files.listFileEvents,
  listChanges,
  followChanges,
  files.batchFiles,
  trashFile,
  restoreFile,
  deleteFile,
  listFileTags,
  searchFiles,
  listUploadFields,
])

/** Throws `forbidden` for a call of a key for one folder that is about something else. */
export function refuseOutsideFolder({ root }: Actor, endpoint: AnyEndpoint): void {
  if (root.folderId === null || allowed.has(endpoint)) return
  throw new AppError('forbidden', 'This key is for one folder, and this call is about none')
}
