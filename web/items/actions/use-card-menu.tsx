/** The menu of items on cards and in boxes, where no list with keys of its own surrounds them. */
import { type MouseEvent, type ReactNode, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import type { MenuPlace } from '../../ui/menu-props.ts'
import { ItemMenu } from './item-menu.tsx'
import type { ItemActions } from './use-item-actions.tsx'

export interface CardMenu {
  open: (item: FileItem, place: MenuPlace) => void
  /** Opens it at the pointer, after a click with the right button. */
  openAtPointer: (item: FileItem, event: MouseEvent) => void
  /** The open menu; the caller renders it. */
  menu: ReactNode
}

export function useCardMenu(actions: ItemActions): CardMenu {
  const [opened, setOpened] = useState<{ item: FileItem; place: MenuPlace; from: Element | null } | null>(null)
  const open = (item: FileItem, place: MenuPlace) => setOpened({ item, place, from: document.activeElement })
  const close = () => {
    setOpened(null)
    if (opened?.from instanceof HTMLElement) opened.from.focus()
  }
  return {
    open,
    openAtPointer: (item, event) => {
      event.preventDefault()
      open(item, { x: event.clientX, y: event.clientY, width: 0, height: 0 })
    },
    menu: (
      <ItemMenu
        menu={opened && { place: opened.place, items: [opened.item] }}
        actions={actions}
        hasKeys={false}
        onClose={close}
      />
    ),
  }
}
