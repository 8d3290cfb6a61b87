/** Files dragged from the desktop onto an element. */
import { type DragEvent, useRef, useState } from 'react'
import { showError } from './toast.tsx'

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

/** A dropped folder comes as a file that cannot be read, so it is told apart before anything is sent. */
function filesOf(transfer: DataTransfer): File[] {
  const entries = [...transfer.items].filter(({ kind }) => kind === 'file')
  const files = entries.filter(entry => entry.webkitGetAsEntry()?.isDirectory !== true)
  if (files.length < entries.length) showError('Folders cannot be dropped here. Open the folder and drop its files.')
  return files.map(entry => entry.getAsFile()).filter(file => file !== null)
}

interface FileDrop {
  /** Whether files hover over the element now. */
  isOver: boolean
  handlers: Record<'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: DragEvent) => void>
}

export function useFileDrop(onFiles: (files: File[]) => void): FileDrop {
  const [isOver, setOver] = useState(false)
  // Entering a child fires before leaving its parent, so only a count tells when the whole is left.
  const depth = useRef(0)
  const enter = (step: 1 | -1) => (event: DragEvent) => {
    if (!carriesFiles(event)) return
    depth.current = Math.max(0, depth.current + step)
    setOver(depth.current > 0)
  }
  const onDragOver = (event: DragEvent) => {
    if (carriesFiles(event)) event.preventDefault()
  }
  const onDrop = (event: DragEvent) => {
    depth.current = 0
    setOver(false)
    if (!carriesFiles(event) || event.isDefaultPrevented()) return
    event.preventDefault()
    const files = filesOf(event.dataTransfer)
    if (files.length > 0) onFiles(files)
  }
  return { isOver, handlers: { onDragEnter: enter(1), onDragOver, onDragLeave: enter(-1), onDrop } }
}
