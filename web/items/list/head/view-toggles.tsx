/** The buttons at the right of the head: list, grid, and details. */
import { IconLayoutGrid, IconLayoutSidebarRight, IconList } from '@tabler/icons-react'
import type { View } from '../../../../src/api/preferences.ts'
import { prefer, usePreferences } from '../../../lib/local/preferences.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { usePhone } from '../../../ui/use-phone.ts'
import { useDetails } from '../../details/use-details.ts'
import styles from './view-toggles.module.css'

const views = [
  { view: 'list', label: 'List view', icon: IconList },
  { view: 'grid', label: 'Grid view', icon: IconLayoutGrid },
] as const satisfies { view: View; label: string; icon: unknown }[]

export function ViewToggles() {
  const isPhone = usePhone()
  const current = usePreferences(({ view }) => view)
  const details = useDetails()
  const look = isPhone ? ({ size: 'lg', iconSize: 20 } as const) : {}
  return (
    <span className={styles.toggles}>
      {views.map(({ view, label, icon }) => (
        <IconButton
          key={view}
          label={label}
          icon={icon}
          aria-pressed={view === current}
          onClick={() => prefer({ view })}
          {...look}
        />
      ))}
      {!isPhone && (
        <IconButton
          label={details.isOpen ? 'Hide details' : 'Show details'}
          icon={IconLayoutSidebarRight}
          aria-pressed={details.isOpen}
          onClick={details.toggle}
        />
      )}
    </span>
  )
}
