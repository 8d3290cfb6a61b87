/** The current order on a phone, which opens a menu of orders; at the right the view toggle. */
import { UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useState } from 'react'
import { type SortKey, sortKeys } from '../../../../src/api/files.ts'
import { usePreferences } from '../../../lib/local/preferences.ts'
import { sortBy, useSorting } from '../../../lib/local/sorting.ts'
import { ActionMenu } from '../../../ui/action-menu.tsx'
import type { MenuPlace } from '../../../ui/menu-props.ts'
import type { MiddleColumn } from '../columns/columns.ts'
import { ColumnsButton } from '../columns/columns-button.tsx'
import styles from './phone-sort.module.css'
import { sortLabels } from './sort-button.tsx'
import { ViewToggles } from './view-toggles.tsx'

export function PhoneSort({ middle, isSortable }: { middle: MiddleColumn; isSortable: boolean }) {
  const isList = usePreferences(({ view }) => view === 'list')
  return (
    <div className={styles.sort}>
      {isSortable && <SortMenu />}
      <span className={styles.toggles}>
        {isList && <ColumnsButton shape={{ middle, hasOwners: false }} />}
        <ViewToggles />
      </span>
    </div>
  )
}

function SortMenu() {
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const { sort, order } = useSorting()
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown
  const actionFor = (key: SortKey) => ({
    label: sortLabels[key],
    icon: key === sort ? Arrow : IconArrowUp,
    isCurrent: key === sort,
    run: () => sortBy(key),
  })
  return (
    <>
      <UnstyledButton
        className={styles.button}
        aria-label={`Sort: ${sortLabels[sort]}, ${order === 'asc' ? 'ascending' : 'descending'}`}
        onClick={event => setPlace(event.currentTarget.getBoundingClientRect())}
      >
        {sortLabels[sort]}
        <Arrow size={14} stroke={1.75} aria-hidden />
      </UnstyledButton>
      <ActionMenu place={place} groups={[sortKeys.map(actionFor)]} label="Sort by" onClose={() => setPlace(null)} />
    </>
  )
}
