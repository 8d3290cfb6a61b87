/** What a row of the file list needs to know, on wide windows and on phones alike. */
import type { FileItem } from '../../../../src/api/items.ts'
import type { MenuPlace } from '../../../ui/menu-props.ts'

/** What may happen on a row. */
export type RowEvents = {
  toggle: (item: FileItem, event: { shiftKey: boolean }) => void
  open: (item: FileItem) => void
  /** Goes to the folder that holds the item. */
  openPlace: (item: FileItem) => void
  openMenu: (item: FileItem, place: MenuPlace) => void
  download: (item: FileItem) => void
  favorite: (item: FileItem) => void
  /** Keeps what was typed of a new name so far: a field that moves to another row begins with it. */
  typeName: (item: FileItem, text: string) => void
  /** `name` null: nothing is to change. `isByKey`: ended by a key, and not by leaving the field. */
  endRename: (item: FileItem, name: string | null, isByKey: boolean) => void
}

/** A name that is being changed. */
export interface Renaming {
  id: number
  /** What was typed so far; null before anything was. */
  draft: string | null
  /** The name that was refused; null before one was. */
  refused: string | null
}

/** What the column between name and size says: what kind of item it is or, where items of many folders meet, the folder. */
export type MiddleColumn = 'type' | 'location'

export interface RowProps {
  item: FileItem
  isSelected: boolean
  /** Whether anything is selected: taps then select instead of opening. */
  isSelecting: boolean
  /** Whether the row is the one that Tab reaches; the controls of all others are out of its way. */
  isActive: boolean
  /** Null while the item's name is not being changed. */
  renaming: Renaming | null
  middle: MiddleColumn
  events: RowEvents
}
