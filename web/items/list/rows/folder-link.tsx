/** A link to a folder that can be opened in a new tab. Thousands come and go in a list, so it is as light as can be. */
import type { MouseEvent, ReactNode } from 'react'
import { basePath } from '../../../lib/server/config.ts'

interface FolderLinkProps {
  /** Null is the root. */
  folderId: number | null
  className: string | undefined
  title: string
  tabIndex?: number
  /** Takes the plain click; without it the click is the row's, like one with a key held down. */
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
