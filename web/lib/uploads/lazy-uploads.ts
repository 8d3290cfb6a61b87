/** The entry point for uploads: hands files to the queue, whose code loads when it is needed. */
import type { Picked } from '../../ui/picked-files.ts'
import { showError } from '../../ui/toast.tsx'
import type { ExistingFolder } from './target-folder.ts'
import { openTray } from './tray.ts'

/** Loads the queue's code, a chunk of its own. */
export const fetchUploads = () => import('./page-uploads.ts')

/** Uploads dropped, pasted or chosen files into a folder; folders come with their contents. */
export function addUploads(picked: Picked, folder: ExistingFolder): void {
  if (picked.files.length + picked.folders.length + picked.lost === 0) return
  openTray()
  fetchUploads().then(
    ({ addToPage }) => addToPage(picked, folder),
    () => showError('Upload failed'),
  )
}
