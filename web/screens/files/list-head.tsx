/** The heads of the columns, which are the sort buttons. */
import { VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { SortKey } from '../../../src/api/files.ts'
import { sortBy, useSorting } from '../../lib/sorting.ts'
import { Check } from '../../ui/check.tsx'
import styles from './list-head.module.css'

export const sortLabels: Record<SortKey, string> = { name: 'Name', type: 'Type', size: 'Size', date: 'Date' }
const columns: readonly SortKey[] = ['name', 'type', 'size', 'date']

export function ListHead({ onSelectAll, isEmpty }: { onSelectAll: () => void; isEmpty: boolean }) {
  return (
    <div className={styles.head} role="row" aria-rowindex={1}>
      <div role="columnheader" className={styles.check}>
        {isEmpty ? (
          <VisuallyHidden>Selection</VisuallyHidden>
        ) : (
          <Check label="Select all" checked={false} onChange={onSelectAll} />
        )}
      </div>
      {columns.map(column => (
        <SortHead key={column} column={column} />
      ))}
      <div role="columnheader">
        <VisuallyHidden>Actions</VisuallyHidden>
      </div>
    </div>
  )
}

function SortHead({ column }: { column: SortKey }) {
  const { sort, order } = useSorting()
  const isActive = sort === column
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown
  const state = order === 'asc' ? 'ascending' : 'descending'
  return (
    <div role="columnheader" aria-sort={isActive ? state : 'none'} className={styles.cell} data-column={column}>
      <button type="button" className={styles.sort} data-active={isActive || undefined} onClick={() => sortBy(column)}>
        {sortLabels[column]}
        {isActive && <Arrow size={14} stroke={1.75} aria-hidden />}
      </button>
    </div>
  )
}
