/** The path from Home to the folder on screen; each step can be clicked and dropped on. */
import { IconChevronRight, IconDots, IconFolder, IconHome } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, useRef, useState } from 'react'
import type { Breadcrumb } from '../../../src/api/items.ts'
import type { Destination } from '../../items/destination.ts'
import type { ItemDrag } from '../../items/list/use-item-drag.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { MenuPlace } from '../../ui/menu-props.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './breadcrumbs.module.css'
import { openFolderMenu } from './tree/folder-menu-state.ts'

interface BreadcrumbsProps {
  /** Null while it is unknown. */
  trail: readonly Breadcrumb[] | null
  drag: ItemDrag
  onGo: (folderId: number | null) => void
}

/** How many steps are shown; the others go into a menu. */
const shownSteps = { wide: 3, phone: 2 }

export function Breadcrumbs({ trail: known, drag, onGo }: BreadcrumbsProps) {
  const isPhone = usePhone()
  const trail = known ?? []
  const shown = trail.slice(isPhone ? -shownSteps.phone : -shownSteps.wide)
  const hidden = trail.slice(0, trail.length - shown.length)
  const home = { id: null, name: 'Home' }
  return (
    <nav className={styles.trail} aria-label="Breadcrumbs">
      <Link
        to="/files/{-$folderId}"
        className={styles.home}
        aria-label="Home"
        aria-current={known?.length === 0 ? 'page' : undefined}
        data-over={drag.over === null || undefined}
        {...drag.target(home)}
        {...menuOf(home)}
      >
        <IconHome size={isPhone ? 20 : 16} stroke={1.75} aria-hidden />
      </Link>
      {known?.length === 0 && <h1 className={styles.current}>Home</h1>}
      {hidden.length > 0 && <HiddenSteps steps={hidden} onGo={onGo} />}
      {shown.map((step, index) => (
        <span key={step.id} className={styles.step}>
          <IconChevronRight size={16} stroke={1.75} className={styles.chevron} aria-hidden />
          {index === shown.length - 1 ? (
            <h1 className={styles.current} aria-current="page" title={step.name} dir="auto" {...menuOf(step)}>
              {step.name}
            </h1>
          ) : (
            <Link
              to="/files/{-$folderId}"
              params={{ folderId: String(step.id) }}
              className={styles.link}
              title={step.name}
              dir="auto"
              data-over={drag.over === step.id || undefined}
              {...drag.target(step)}
              {...menuOf(step)}
            >
              {step.name}
            </Link>
          )}
        </span>
      ))}
    </nav>
  )
}

/** Opens a step's menu instead of the browser's. */
const menuOf = (folder: Destination) => ({
  onContextMenu: (event: MouseEvent) => {
    event.preventDefault()
    openFolderMenu(event, folder)
  },
})

function HiddenSteps({ steps, onGo }: { steps: readonly Breadcrumb[]; onGo: (folderId: number) => void }) {
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const more = useRef<HTMLButtonElement>(null)
  const actions = steps.map(({ id, name }) => ({ label: name, icon: IconFolder, run: () => onGo(id) }))
  return (
    <span className={styles.hidden}>
      <IconChevronRight size={16} stroke={1.75} className={styles.chevron} aria-hidden />
      <IconButton
        ref={more}
        label="More folders"
        icon={IconDots}
        onClick={event => setPlace(event.currentTarget.getBoundingClientRect())}
      />
      <ActionMenu
        place={place}
        groups={[actions]}
        label="More folders"
        onClose={() => {
          setPlace(null)
          more.current?.focus()
        }}
      />
    </span>
  )
}
