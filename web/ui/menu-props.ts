/** What a menu of actions is told, wherever it opens. */
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export interface MenuAction {
  label: string
  icon?: Icon
  /** The key that does the same. */
  shortcut?: string
  tone?: 'danger'
  /** Whether it is the choice in force. */
  isCurrent?: boolean
  run: () => void
}

/** Where the menu opens, in window coordinates: a point, or the rectangle of its button. */
export type MenuPlace = Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>

export interface ActionMenuProps {
  /** Null while the menu is closed. */
  place: MenuPlace | null
  /** Actions in groups; a hairline stands between two groups. */
  groups: readonly (readonly MenuAction[])[]
  /** What the menu belongs to: its name for screen readers, and on a phone the head of the sheet. */
  label: string
  head?: ReactNode
  /** Called before the action that was chosen, and when none was; the focus is the caller's to give. */
  onClose: () => void
}
