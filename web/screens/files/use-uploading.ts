/** The ways to upload into the folder on screen: drop, paste and file chooser. */
import { addUploads } from '../../lib/uploads/lazy-uploads.ts'
import type { ExistingFolder } from '../../lib/uploads/target-folder.ts'
import { openTray } from '../../lib/uploads/tray.ts'
import { openFileChooser } from '../../ui/file-chooser.ts'
import type { Picked } from '../../ui/picked-files.ts'
import { useWindowFileDrop } from '../../ui/use-file-drop.ts'
import { useFilePaste } from '../../ui/use-file-paste.ts'

interface Uploading {
  /** Whether files are dragged over the window. */
  isOver: boolean
  chooseFiles: () => void
  chooseFolder: () => void
}

/** Without the permission to upload, dropped files are refused. */
export function useUploading(folder: ExistingFolder, mayUpload: boolean): Uploading {
  const add = (picked: Picked) => addUploads(picked, folder)
  const taken = mayUpload ? add : undefined
  const isOver = useWindowFileDrop(taken)
  useFilePaste(taken)
  const choose = (what: 'files' | 'folder') => () => {
    openTray()
    openFileChooser(add, what)
  }
  return { isOver, chooseFiles: choose('files'), chooseFolder: choose('folder') }
}
