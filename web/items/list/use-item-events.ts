/** What clicks and taps on items do. */
import { type MouseEvent, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { isTouch } from '../../ui/touch.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { useStable } from '../../ui/use-stable.ts'
import type { OpenMenu } from '../actions/item-menu.tsx'
import type { Renaming, RowEvents } from './rows/row.ts'
import type { ListState } from './use-list-state.ts'

interface ItemEvents {
  events: RowEvents
  menu: OpenMenu | null
  closeMenu: () => void
  renaming: Renaming | null
  startRename: (item: FileItem) => void
  click: (item: FileItem, index: number, event: MouseEvent) => void
  doubleClick: (item: FileItem) => void
  /** The item together with the selection, if it is part of it. */
  together: (item: FileItem) => [FileItem, ...FileItem[]]
}

export function useItemEvents(
  { listing, selection, focus, actions }: ListState,
  open: (item: FileItem) => void,
  openPlace: (item: FileItem) => void,
): ItemEvents {
  const isPhone = usePhone()
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const [renaming, setRenaming] = useState<Renaming | null>(null)
  const isSelecting = selection.ids.size > 0
  const opensByTap = () => isPhone || isTouch()
  const together = (item: FileItem): [FileItem, ...FileItem[]] =>
    selection.ids.has(item.id) ? [item, ...selection.items.filter(({ id }) => id !== item.id)] : [item]

  const endRename = async (item: FileItem, name: string | null, isByKey: boolean) => {
    setRenaming(null)
    // After a click elsewhere the focus is already there, so leave it.
    if (isByKey) focus.focusItem(item.id)
    if (name === null) return
    const isRefused = await actions.rename(item, name)
    if (isRefused) setRenaming(now => now ?? { id: item.id, draft: name, refused: name })
    else if (isByKey) focus.follow()
  }
  const events = useStable<RowEvents>({
    toggle: (item, { shiftKey }) => {
      if (shiftKey) selection.extendTo(listing.items.indexOf(item), focus.activeIndex)
      else selection.toggle(item.id)
    },
    open,
    openPlace,
    openMenu: (item, place) => {
      focus.activate(listing.items.indexOf(item))
      setMenu({ place, items: together(item) })
    },
    download: item => (item.is_directory ? actions.archive([item]) : actions.download([item])),
    favorite: item => actions.favorite([item]),
    typeName: ({ id }, draft) => setRenaming(now => (now?.id === id ? { ...now, draft } : now)),
    endRename: (item, name, isByKey) => void endRename(item, name, isByKey),
  })
  return {
    events,
    menu,
    closeMenu: () => {
      if (menu !== null) focus.focusItem(menu.items[0].id)
      setMenu(null)
    },
    renaming,
    startRename: item => {
      // The item of a key may be out of view, where rows are not rendered.
      focus.focusItem(item.id)
      setRenaming({ id: item.id, draft: null, refused: null })
    },
    click: (item, index, event) => {
      if (renaming?.id === item.id) return
      if (event.shiftKey) selection.extendTo(index, focus.activeIndex)
      else if (event.ctrlKey || event.metaKey || isSelecting) selection.toggle(item.id)
      else if (opensByTap()) open(item)
      else selection.anchorAt(item.id)
    },
    doubleClick: item => {
      if (!isSelecting && !opensByTap() && renaming?.id !== item.id) open(item)
    },
    together,
  }
}
