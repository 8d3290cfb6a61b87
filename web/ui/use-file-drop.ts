/** Files and folders dragged from the desktop onto an element, or anywhere onto the window. */
import { useWindowEvent } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { type Picked, pickCarried } from './picked-files.ts'

/** What React's drag events and the browser's own have in common. */
interface FileDragEvent {
  dataTransfer: DataTransfer | null
  defaultPrevented: boolean
  preventDefault: () => void
}

/** Whether what is dragged comes from the desktop. */
export const carriesFiles = ({ dataTransfer }: FileDragEvent): boolean => dataTransfer?.types.includes('Files') === true

interface FileDrop {
  /** Whether files hover over the element now. */
  isOver: boolean
  handlers: Record<'onDragEnter' | 'onDragOver' | 'onDragLeave' | 'onDrop', (event: FileDragEvent) => void>
}

export function useFileDrop(onDropped: (picked: Picked) => void): FileDrop {
  const [isOver, setOver] = useState(false)
  // Entering a child fires before leaving its parent, so only a count tells when the whole is left.
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
 * Takes files dropped anywhere but on an element that takes them itself; tells whether any hover over the window.
 * Without `onDropped` none are taken.
 */
export function useWindowFileDrop(onDropped: ((picked: Picked) => void) | undefined): boolean {
  const { isOver, handlers } = useFileDrop(onDropped ?? (() => undefined))
  const isTaking = onDropped !== undefined
  // On the document, which hears of them before the window, where what nobody takes is refused.
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

/** Files dropped where nothing takes them would otherwise replace the page. */
export function useNoStrayDrops(): void {
  const refuse = (event: DragEvent) => {
    if (event.defaultPrevented || !carriesFiles(event)) return
    event.preventDefault()
    if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none'
  }
  useWindowEvent('dragover', refuse)
  useWindowEvent('drop', refuse)
}
