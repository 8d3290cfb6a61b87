/** The way from the folder of the link to the one on screen, which is the page's heading. */
import { IconChevronRight, IconFolderFilled } from '@tabler/icons-react'
import { Fragment, type MouseEvent, type ReactNode } from 'react'
import type { Breadcrumb } from '../../../src/api/items.ts'
import { ItemName } from '../../items/item-name.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import name from '../name.module.css'
import { addressOf, goTo } from '../place.ts'
import styles from './trail.module.css'

interface TrailProps {
  /** The name of the link's folder. */
  root: string
  trail: readonly Breadcrumb[]
}

/** The most folders before the current one. Those that are left out are reached through `…`. */
const mostBefore = { desktop: 2, phone: 0 }

export function Trail({ root, trail }: TrailProps) {
  const isPhone = usePhone()
  const current = trail.at(-1)
  const before = trail.slice(0, -1)
  const shown = before.slice(before.length - Math.min(before.length, isPhone ? mostBefore.phone : mostBefore.desktop))
  const hidden = before.slice(0, before.length - shown.length)
  const nearest = hidden.at(-1)
  return (
    <nav className={styles.trail} aria-label="Folders">
      {current !== undefined && (
        <>
          <Step to={null} title={root}>
            {isPhone ? <IconFolderFilled size={20} className={styles.icon} aria-label={root} role="img" /> : root}
          </Step>
          {nearest !== undefined && (
            <Step to={nearest.id} title={nearest.name} label={`Up to ${nearest.name}`}>
              …
            </Step>
          )}
          {shown.map(({ id, name: words }) => (
            <Step key={id} to={id} title={words}>
              {words}
            </Step>
          ))}
        </>
      )}
      <h1 className={`${styles.current} ${name.name}`} title={current?.name ?? root}>
        <ItemName item={{ name: current?.name ?? root, is_directory: true }} />
      </h1>
    </nav>
  )
}

interface StepProps {
  to: number | null
  title: string
  label?: string
  children: ReactNode
}

function Step({ to, title, label, children }: StepProps) {
  const place = { folder: to, file: null }
  const go = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    goTo(place)
  }
  return (
    <Fragment>
      <a href={addressOf(place)} className={styles.step} title={title} aria-label={label} dir="auto" onClick={go}>
        {children}
      </a>
      <IconChevronRight size={14} stroke={1.75} className={styles.chevron} aria-hidden />
    </Fragment>
  )
}
