/** A link to a folder, which can be opened in a new tab. Kept light, because a list renders thousands of them. */
import type { MouseEvent, ReactNode } from 'react'
import { basePath } from '../../../lib/server/config.ts'

interface FolderLinkProps {
  /** Null is the root. */
  folderId: number | null
  className: string | undefined
  title: string
  tabIndex?: number
  /** Handles a plain click. Without it the row handles the click, as it does with a modifier key. */
  onOpen: (() => void) | undefined
  children: ReactNode
}

export function FolderLink({ folderId, onOpen, children, tabIndex = -1, ...rest }: FolderLinkProps) {
  const click = (event: MouseEvent) => {
    event.preventDefault()
    if (onOpen === undefined || event.shiftKey || event.ctrlKey || event.metaKey) return
    event.stopPropagation()
    onOpen()
  }
  return (
    <a
      href={`${basePath}files${folderId === null ? '' : `/${folderId}`}`}
      tabIndex={tabIndex}
      draggable={false}
      dir="auto"
      onClick={click}
      {...rest}
    >
      {children}
    </a>
  )
}
