/** A link to an item's folder; a plain click shows the item there. */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { locationRoute, useShowInFolder } from './show-in-folder.ts'

interface PlaceLinkProps {
  item: Pick<FileItem, 'id' | 'parent_id' | 'place'>
  children: ReactNode
}

export function PlaceLink({ item, children }: PlaceLinkProps) {
  const showInFolder = useShowInFolder()
  return (
    <Link
      {...locationRoute(item)}
      dir="auto"
      onClick={event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        showInFolder(item)
      }}
    >
      {children}
    </Link>
  )
}
