/** The three buttons of a row: download, favourite, and the menu with everything else. */
import { IconDots, IconDownload, IconStar, IconStarFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { FileItem } from '../../../../src/api/items.ts'
import { usePainted } from '../../../ui/use-painted.ts'
import { useRights } from '../../rights.ts'
import type { RowEvents } from './row.ts'
import styles from './row-actions.module.css'

interface RowActionsProps {
  item: FileItem
  /** Whether Tab reaches this row. */
  isActive: boolean
  events: RowEvents
}

/** These buttons are nearly half of a row and invisible until hover, so the other half is rendered first. */
export function RowActions({ item, isActive, events }: RowActionsProps) {
  const mayMark = useRights()([item]).mark
  const isPainted = usePainted()
  if (!isPainted && !isActive) return null
  const tabIndex = isActive ? 0 : -1
  const Star = item.is_favorite ? IconStarFilled : IconStar
  const star = item.is_favorite ? 'Remove from favorites' : 'Add to favorites'
  const download = item.is_directory ? 'Download as ZIP' : 'Download'
  return (
    <>
      <Action name={item.name} label={download} tabIndex={tabIndex} onPress={() => events.download(item)}>
        <IconDownload size={16} stroke={1.75} aria-hidden />
      </Action>
      {mayMark && (
        <Action name={item.name} label={star} tabIndex={tabIndex} onPress={() => events.favorite(item)}>
          <Star size={16} stroke={1.75} aria-hidden />
        </Action>
      )}
      <Action
        name={item.name}
        label="More actions"
        tabIndex={tabIndex}
        hasMenu
        onPress={button => events.openMenu(item, button.getBoundingClientRect())}
      >
        <IconDots size={16} stroke={1.75} aria-hidden />
      </Action>
    </>
  )
}

interface ActionProps {
  /** The item's name. */
  name: string
  label: string
  tabIndex: number
  hasMenu?: boolean
  onPress: (button: HTMLElement) => void
  children: ReactNode
}

function Action({ name, label, tabIndex, hasMenu, onPress, children }: ActionProps) {
  return (
    <button
      type="button"
      className={styles.action}
      tabIndex={tabIndex}
      title={label}
      aria-label={accessibleLabel(label, name)}
      aria-haspopup={hasMenu ? 'menu' : undefined}
      onClick={event => {
        event.stopPropagation()
        onPress(event.currentTarget)
      }}
      onDoubleClick={event => event.stopPropagation()}
    >
      {children}
    </button>
  )
}

/** `Download a.pdf`, `Add b.pdf to favorites`, `More actions for c.pdf`. */
function accessibleLabel(label: string, name: string): string {
  if (label === 'More actions') return `${label} for ${name}`
  const [verb = label, ...rest] = label.split(' ')
  return [verb, name, ...rest].join(' ')
}
