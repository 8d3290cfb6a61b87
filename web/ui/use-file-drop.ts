/** Files and folders dragged from the desktop onto an element, or anywhere onto the window. */
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { type Picked, pickCarried } from './picked-files.ts'

/** The common part of React's drag events and the browser's own. */
interface FileDragEvent {
  dataTransfer: DataTransfer | null
  defaultPrevented: boolean
  preventDefault: () => void
}

/** Whether files from the desktop are being dragged. */
export const carriesFiles = ({ dataTransfer }: FileDragEvent): boolean => dataTransfer?.types.includes('Files') === true

interface FileDrop {
  /** Whether files hover over the element now. */
  isOver: boolean
  handlers: Record<'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: FileDragEvent) => void>
}

export function useFileDrop(onDropped: (picked: Picked) => void): FileDrop {
  const [isOver, setOver] = useState(false)
  // Entering a child fires before leaving its parent. Count both: at 0 the pointer has left the whole element.
  const depth = useRef(0)
  const enter = (step: 1 | -1) => (event: FileDragEvent) => {
    if (!carriesFiles(event)) return
    depth.current = Math.max(0, depth.current + step)
    setOver(depth.current > 0)
  }
  const onDragOver = (event: FileDragEvent) => {
    if (carriesFiles(event)) event.preventDefault()
  }
  const onDrop = (event: FileDragEvent) => {
    depth.current = 0
    setOver(false)
    if (event.dataTransfer === null || !carriesFiles(event) || event.defaultPrevented) return
    event.preventDefault()
    onDropped(pickCarried(event.dataTransfer))
  }
  return { isOver, handlers: { onDragEnter: enter(1), onDragOver, onDragLeave: enter(-1), onDrop } }
}

/**
 * Accepts files dropped anywhere except on an element that handles them itself. Returns whether files hover over the
 * window. Without `onDropped` it accepts none.
 */
export function useWindowFileDrop(onDropped: ((picked: Picked) => void) | undefined): boolean {
  const { isOver, handlers } = useFileDrop(onDropped ?? (() => undefined))
  const isTaking = onDropped !== undefined
  // Listen on the document: it gets the event before the window, which refuses whatever nobody has accepted.
  useEffect(() => {
    if (!isTaking) return
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('dragenter', handlers.onDragEnter, { signal })
    document.addEventListener('dragover', handlers.onDragOver, { signal })
    document.addEventListener('dragleave', handlers.onDragLeave, { signal })
    document.addEventListener('drop', handlers.onDrop, { signal })
    return () => listening.abort()
  })
  return isOver
}

/** Refuses files dropped where nothing accepts them; otherwise the browser would replace the page with the file. */
export function useNoStrayDrops(): void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !carriesFiles(event)) return
    event.preventDefault()
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none'
  }
  useWindowEvent('dragover', refuse)
  useWindowEvent('drop', refuse)
}
