/** The door to uploads: brings files to the queue, whose code comes when it is needed. */
import type { Picked } from '../../ui/picked-files.ts'
import { showError } from '../../ui/toast.tsx'
import { openTray } from './tray.ts'

/** The queue's code, in a chunk of its own. */
export const fetchUploads = () => import('./page-uploads.ts')

/** Uploads what was dropped, pasted or chosen into a folder (null is the root), the folders among it with all in them. */
export function addUploads(picked: Picked, folderId: number | null): void {
  if (picked.files.length + picked.folders.length + picked.lost === 0) return
  openTray()
  fetchUploads().then(
    ({ addToPage }) => addToPage(picked, folderId),
    () => showError('Upload failed'),
  )
}
