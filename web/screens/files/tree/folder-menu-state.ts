/** Which folder's menu is open and where, in the tree or on a breadcrumb. */
import type { MouseEvent } from 'react'
import { create } from 'zustand'
import type { Destination } from '../../../items/destination.ts'
import type { MenuPlace } from '../../../ui/menu-props.ts'

interface OpenFolderMenu {
  place: MenuPlace
  folder: Destination
  /** The element that had the focus, and gets it back. */
  from: Element
}

export const useFolderMenu = create<{ menu: OpenFolderMenu | null }>(() => ({ menu: null }))

export function openFolderMenu(event: MouseEvent, { id, name, place: within, may }: Destination): void {
  const place = { x: event.clientX, y: event.clientY, width: 0, height: 0 }
  useFolderMenu.setState({ menu: { place, folder: { id, name, place: within, may }, from: event.currentTarget } })
}

export const closeFolderMenu = (): void => useFolderMenu.setState({ menu: null })
