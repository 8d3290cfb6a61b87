/** The props of a menu, wherever it opens. */
import type { Icon } from '@tabler/icons-react'
import type { ReactNode } from 'react'

export interface MenuAction {
  label: string
  icon?: Icon
  /** The keyboard shortcut for the same action. */
  shortcut?: string
  tone?: 'danger'
  /** Whether this is the current choice. */
  isCurrent?: boolean
  /** Whether it is chosen, for one that can be switched on and off. The menu stays open after it. */
  isChecked?: boolean
  run: () => void
}

/** Where the menu opens, in window coordinates: a point, or the rectangle of its button. */
export type MenuPlace = Pick<DOMRect, 'x' | 'y' | 'width' | 'height'>

export interface ActionMenuProps {
  /** Null while the menu is closed. */
  place: MenuPlace | null
  /** Actions in groups, with a separator between groups. */
  groups: readonly (readonly MenuAction[])[]
  /** What the menu acts on: its name for screen readers, and the heading of the sheet on a phone. */
  label: string
  head?: ReactNode
  /** Called before the chosen action, or when the menu closes without one. The caller moves the focus. */
  onClose: () => void
}
