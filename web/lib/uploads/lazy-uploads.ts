/** The entry point for uploads: hands files to the queue, whose code loads when it is needed. */
import type { Picked } from '../../ui/picked-files.ts'
import { showError } from '../../ui/toast.tsx'
import { openTray } from './tray.ts'

/** Loads the queue's code, a chunk of its own. */
export const fetchUploads = () => import('./page-uploads.ts')

/** Uploads dropped, pasted or chosen files into a folder (null is the root); folders come with their contents. */
export function addUploads(picked: Picked, folderId: number | null): void {
  if (picked.files.length + picked.folders.length + picked.lost === 0) return
  openTray()
  fetchUploads().then(
    ({ addToPage }) => addToPage(picked, folderId),
    () => showError('Upload failed'),
  )
}
