/** The path from Home, or from the place's name, to the folder on screen; each step can be clicked and dropped on. */
import { IconChevronRight, IconDots, IconFolder, IconHome } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type MouseEvent, type ReactNode, useRef, useState } from 'react'
import type { Breadcrumb, FileItem, PlaceAbilities } from '../../../src/api/items.ts'
import { type Destination, home, nothingYet } from '../../items/destination.ts'
import type { ItemDrag } from '../../items/list/use-item-drag.ts'
import { listOf } from '../../items/place-routes.ts'
import { subfoldersQuery } from '../../lib/data/subfolders.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { MenuPlace } from '../../ui/menu-props.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './breadcrumbs.module.css'
import { openFolderMenu } from './tree/folder-menu-state.ts'

interface BreadcrumbsProps {
  /** The folder on screen; null for the root of the own tree. */
  folder: FileItem | null
  /** From the first folder below the root to the folder itself; null while it is unknown. */
  trail: readonly Breadcrumb[] | null
  drag: ItemDrag
  onGo: (folderId: number | null) => void
}

/** How many steps are shown; the others go into a menu. */
const shownSteps = { wide: 3, phone: 2 }

type Step = Destination & { id: number }

/**
 * The steps below Home, or from the root of the place. What the user may do in the folders around this one is not known
 * from it: access may begin at any of them. It is asked for once a drag comes near.
 */
function useSteps(folder: FileItem | null, trail: readonly Breadcrumb[]): { steps: Step[]; ask: () => void } {
  const [isAsked, setAsked] = useState(false)
  const place = folder?.place ?? null
  const way = place === null ? trail : [place, ...trail]
  const answers = useQueries({
    queries: (place === null ? [] : way.slice(0, -1)).map(({ id }) => ({ ...subfoldersQuery(id), enabled: isAsked })),
  })
  const mayIn = (index: number): PlaceAbilities | null => {
    if (place === null) return null
    return (index === way.length - 1 ? folder?.may : answers[index]?.data?.may) ?? nothingYet
  }
  const steps = way.map(({ id, name }, index) => ({ id, name, place, may: mayIn(index) }))
  return { steps, ask: () => setAsked(true) }
}

export function Breadcrumbs({ folder, trail, drag, onGo }: BreadcrumbsProps) {
  const isPhone = usePhone()
  const { steps, ask } = useSteps(folder, trail ?? [])
  const shown = steps.slice(isPhone ? -shownSteps.phone : -shownSteps.wide)
  const hidden = steps.slice(0, steps.length - shown.length)
  const isHome = trail !== null && steps.length === 0
  return (
    <nav className={styles.trail} aria-label="Breadcrumbs" onDragEnter={ask}>
      {folder?.place ? <ListLink place={folder.place} /> : <HomeLink isCurrent={isHome} drag={drag} />}
      {isHome && <h1 className={styles.current}>Home</h1>}
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
          {(!isPhone || index === shown.length - 1) && <From step={step} />}
        </span>
      ))}
    </nav>
  )
}

function HomeLink({ isCurrent, drag }: { isCurrent: boolean; drag: ItemDrag }) {
  return (
    <Link
      to="/files/{-$folderId}"
      className={styles.home}
      aria-label="Home"
      aria-current={isCurrent ? 'page' : undefined}
      data-over={drag.over === null || undefined}
      {...drag.target(home)}
      {...menuOf(home)}
    >
      <IconHome size={usePhone() ? 20 : 16} stroke={1.75} aria-hidden />
    </Link>
  )
}

/** Leads to the screen with all places of this kind. */
function ListLink({ place }: { place: NonNullable<FileItem['place']> }) {
  const isPhone = usePhone()
  const { to, label, icon: Glyph } = listOf(place)
  return (
    <Link to={to} className={styles.home} aria-label={label} title={label}>
      <Glyph size={isPhone ? 20 : 16} stroke={1.75} aria-hidden />
      {!isPhone && <span className={styles.list}>{label}</span>}
    </Link>
  )
}

/** After the root of a share: whose it is, or in which team folder it lies. */
function From({ step: { id, place } }: { step: Step }): ReactNode {
  if (place === null || place.id !== id || place.from === null) return null
  return (
    <span className={styles.from} title={`from ${place.from}`}>
      from <bdi>{place.from}</bdi>
    </span>
  )
}

/** Opens a step's menu instead of the browser's. */
const menuOf = (folder: Destination) => ({
  onContextMenu: (event: MouseEvent) => {
    event.preventDefault()
    openFolderMenu(event, folder)
  },
})

function HiddenSteps({ steps, onGo }: { steps: readonly Step[]; onGo: (folderId: number) => void }) {
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
