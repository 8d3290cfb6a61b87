/** The name of an item: a link, which can be opened in a new tab. */
import type { MouseEvent, ReactNode } from 'react'
import { addressOf, usePlace } from '../place.ts'
import type { ItemProps } from './view.ts'

interface ItemLinkProps extends ItemProps {
  className: string | undefined
  children: ReactNode
}

export function ItemLink({ item, index, isSelecting, isActive, on, className, children }: ItemLinkProps) {
  const folder = usePlace(place => place.folder)
  const inside = item.is_directory ? { folder: item.id, file: null } : { folder, file: item.id }
  const click = (event: MouseEvent) => {
    event.stopPropagation()
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (isSelecting) on.toggle(index, false)
    else on.open(item)
  }
  return (
    <a
      href={addressOf(inside)}
      className={className}
      title={item.name}
      tabIndex={isActive ? 0 : -1}
      draggable={false}
      dir="auto"
      onClick={click}
    >
      {children}
    </a>
  )
}
