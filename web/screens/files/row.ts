/** What a row of the file list needs to know, on wide windows and on phones alike. */
import type { FileItem } from '../../../src/api/items.ts'
import type { MenuPlace } from '../../ui/action-menu.tsx'

/** What may happen on a row. */
export type RowEvents = {
  toggle: (item: FileItem, event: { shiftKey: boolean }) => void
  openMenu: (item: FileItem, place: MenuPlace) => void
  download: (item: FileItem) => void
  endRename: (item: FileItem, name: string | null) => void
}

export interface RowProps {
  item: FileItem
  isSelected: boolean
  /** Whether anything is selected: taps then select instead of opening. */
  isSelecting: boolean
  /** Whether the row is the one that Tab reaches; the controls of all others are out of its way. */
  isActive: boolean
  isRenaming: boolean
  events: RowEvents
}
