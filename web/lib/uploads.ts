/** The door to uploads: whether their tray is open, and what brings files to it. All else comes when it is needed. */
import { create } from 'zustand'
import type { Picked } from '../ui/picked-files.ts'
import { showError } from '../ui/toast.tsx'

/** Whether the tray is on screen. */
export const useTray = create<{ isOpen: boolean }>(() => ({ isOpen: false }))

export const openTray = (): void => useTray.setState({ isOpen: true })
/** Closes the tray; what is still unfinished is cancelled. */
export const closeTray = (): void => useTray.setState({ isOpen: false })

/** The queue's code, in a chunk of its own. */
export const fetchUploads = () => import('./uploads/add-uploads.ts')

/** Uploads what was dropped, pasted or chosen into a folder (null is the root), the folders among it with all in them. */
export function addUploads(picked: Picked, folderId: number | null): void {
  if (picked.files.length + picked.folders.length + picked.lost === 0) return
  openTray()
  fetchUploads().then(
    ({ addPicked }) => addPicked(picked, folderId),
    () => showError('Upload failed'),
  )
}
