/** Uploads whose folder is gone or closed to the user: they go into another folder instead. */
import { newBatch } from './add-uploads.ts'
import { enqueue } from './queue.ts'
import { allUploads, changeRow } from './rows.ts'
import type { Uploads } from './state.ts'
import { type ExistingFolder, existingFolder, folderBelow, stepsTo } from './target-folder.ts'
import type { Upload } from './upload.ts'

/** Whether it failed for its folder, and can go into another one. */
export const hasLostFolder = ({ status, isFolderLost, file, isFolder }: Upload): boolean =>
  status === 'error' && isFolderLost && (file !== null || isFolder)

/** What belongs to a try in the old folder. */
const asNew = {
  rule: 'fail',
  note: null,
  problems: null,
  begun: null,
  sent: 0,
  waits: 0,
  reached: 0,
  isAlone: false,
  isUnsure: false,
  isOverQuota: false,
  isFolderLost: false,
} as const

/** Sends all of them into a folder, with the folders around them that were to be made. */
export function sendElsewhere(uploads: Uploads, folder: ExistingFolder): void {
  const top = existingFolder(folder)
  const lost = allUploads(uploads.rows).filter(hasLostFolder)
  // What the user has answered was about the names in the old folder, so they are asked again here.
  const batch = newBatch()
  for (const upload of lost) {
    // What the server has of it is for the old folder; pieces of another file object begin anew.
    uploads.deps.pieces.abandon(upload)
    const file = upload.file && new File([upload.file], upload.file.name, upload.file)
    const target = folderBelow(top, stepsTo(upload.target))
    changeRow(uploads.rows, upload.id, { ...asNew, status: 'waiting', batch, file, target })
  }
  enqueue(
    uploads,
    lost.map(({ id }) => id),
  )
}
