/** The ways by which files come from the desktop into the folder on screen: dropped, pasted and chosen. */
import type { ReactNode } from 'react'
import { addUploads, openTray } from '../../lib/uploads.ts'
import { useFileChooser } from '../../ui/file-chooser.tsx'
import type { Picked } from '../../ui/picked-files.ts'
import { useWindowFileDrop } from '../../ui/use-file-drop.ts'
import { useFilePaste } from '../../ui/use-file-paste.ts'

interface Uploading {
  /** Whether files hover over the window. */
  isOver: boolean
  chooseFiles: () => void
  chooseFolder: () => void
  /** Must be rendered somewhere on the screen. */
  inputs: ReactNode
}

/** Null is the root. */
export function useUploading(folderId: number | null): Uploading {
  const add = (picked: Picked) => addUploads(picked, folderId)
  const isOver = useWindowFileDrop(add)
  useFilePaste(add)
  const files = useFileChooser(add)
  const folder = useFileChooser(add, 'folder')
  const chooseBy = (open: () => void) => () => {
    openTray()
    open()
  }
  return {
    isOver,
    chooseFiles: chooseBy(files.open),
    chooseFolder: chooseBy(folder.open),
    inputs: (
      <>
        {files.input}
        {folder.input}
      </>
    ),
  }
}
