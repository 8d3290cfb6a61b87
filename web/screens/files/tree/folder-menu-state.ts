/** Which folder's menu is open and where, in the tree or on a breadcrumb. */
import type { MouseEvent } from 'react'
import { create } from 'zustand'
import { type Destination, nothingYet } from '../../../items/destination.ts'
import { subfoldersQuery } from '../../../lib/data/subfolders.ts'
import { queryClient } from '../../../lib/server/query-client.ts'
import type { MenuPlace } from '../../../ui/menu-props.ts'

interface OpenFolderMenu {
  place: MenuPlace
  folder: Destination
  /** The element that had the focus, and gets it back. */
  from: Element
}

export const useFolderMenu = create<{ menu: OpenFolderMenu | null }>(() => ({ menu: null }))

/** Opens the menu, once it is known what the user may do in the folder. */
export function openFolderMenu(event: MouseEvent, { id, name, place: within, may }: Destination): void {
  const place = { x: event.clientX, y: event.clientY, width: 0, height: 0 }
  const from = event.currentTarget
  const open = (known: Destination['may']) =>
    useFolderMenu.setState({ menu: { place, folder: { id, name, place: within, may: known }, from } })
  if (may !== nothingYet) open(may)
  else
    queryClient.ensureQueryData(subfoldersQuery(id)).then(
      folder => open(folder.may),
      () => open(may),
    )
}

export const closeFolderMenu = (): void => useFolderMenu.setState({ menu: null })
