/** The sections as tabs of the header; in a narrow window the last ones move into a menu. */
import { UnstyledButton } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Link, useMatchRoute, useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { ActionMenu } from '../ui/action-menu.tsx'
import type { MenuPlace } from '../ui/menu-props.ts'
import { useFitting } from '../ui/use-fitting.ts'
import { NewSharesCount } from './lazy-counts.ts'
import { PendingCount } from './pending-count.tsx'
import styles from './section-tabs.module.css'
import { useSections } from './sections.ts'

/** Pixels between two tabs, and the width of the menu's button including a count of pending files. */
const gap = 4
const moreWidth = 84

export function SectionTabs() {
  const sections = useSections()
  const row = useRef<HTMLElement>(null)
  const more = useRef<HTMLButtonElement>(null)
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const navigate = useNavigate()
  const isAt = useMatchRoute()
  const fitting = useFitting(row, sections.length, gap, moreWidth)
  const rest = sections.slice(fitting)
  const close = () => {
    setPlace(null)
    more.current?.focus()
  }
  return (
    <nav ref={row} className={styles.row} aria-label="Sections">
      {sections.map(({ label, to }, index) => (
        <Link key={to} to={to} className={styles.section} data-hidden={index >= fitting || undefined}>
          {label}
          {to === '/validation' && <PendingCount />}
          {to === '/shared/{-$tab}' && <NewSharesCount />}
        </Link>
      ))}
      {rest.length > 0 && (
        <UnstyledButton
          ref={more}
          className={styles.section}
          aria-haspopup="menu"
          aria-expanded={place !== null}
          data-current={rest.some(({ to }) => isAt({ to, fuzzy: true })) || undefined}
          onClick={() => setPlace(more.current?.getBoundingClientRect() ?? null)}
        >
          More
          {rest.some(({ to }) => to === '/validation') && <PendingCount />}
          <IconChevronDown size={14} stroke={1.75} aria-hidden />
        </UnstyledButton>
      )}
      <ActionMenu
        place={place}
        label="More sections"
        groups={[rest.map(({ label, to }) => ({ label, run: () => void navigate({ to }) }))]}
        onClose={close}
      />
    </nav>
  )
}
