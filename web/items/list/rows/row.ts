/** The props of a row of the file list, in wide windows and on phones. */
import type { FileItem } from '../../../../src/api/items.ts'
import type { WideColumn } from '../../../../src/api/preferences.ts'
import type { MenuPlace } from '../../../ui/menu-props.ts'

/** The events of a row. */
export type RowEvents = {
  toggle: (item: FileItem, event: { shiftKey: boolean }) => void
  open: (item: FileItem) => void
  /** Goes to the item's folder. */
  openPlace: (item: FileItem) => void
  openMenu: (item: FileItem, place: MenuPlace) => void
  download: (item: FileItem) => void
  favorite: (item: FileItem) => void
  /** Keeps the typed name, so that a field that moves to another row continues with it. */
  typeName: (item: FileItem, text: string) => void
  /** `name` is null when nothing changes. `isByKey` says that a key ended it, and not losing the focus. */
  endRename: (item: FileItem, name: string | null, isByKey: boolean) => void
}

/** A rename in progress. */
export interface Renaming {
  id: number
  /** The text typed so far; null before the first change. */
  draft: string | null
  /** The name that the server refused; null when there is none. */
  refused: string | null
}

export interface RowProps {
  item: FileItem
  isSelected: boolean
  /** Whether anything is selected; then taps select instead of opening. */
  isSelecting: boolean
  /** Whether Tab reaches this row; the controls of other rows are skipped. */
  isActive: boolean
  /** Null while the item is not being renamed. */
  renaming: Renaming | null
  /** The columns besides the name, from left to right. */
  columns: readonly WideColumn[]
  hasTags: boolean
  events: RowEvents
}
