/** A sort button. The current one shows an arrow, and reverses the order. */
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { SortKey } from '../../../../src/api/files.ts'
import { useListSorting } from './list-sorting.ts'
import styles from './sort-button.module.css'

export const sortLabels: Record<SortKey, string> = { name: 'Name', type: 'Type', size: 'Size', date: 'Date' }

export function SortButton({ sort }: { sort: SortKey }) {
  const { sort: current, order, sortBy } = useListSorting()
  const isActive = sort === current
  const Arrow = order === 'asc' ? IconArrowUp : IconArrowDown
  return (
    <button
      type="button"
      className={styles.sort}
      title={isActive ? `Sorted ${order === 'asc' ? 'ascending' : 'descending'}` : `Sort by ${sort}`}
      data-active={isActive || undefined}
      onClick={() => sortBy(sort)}
    >
      {sortLabels[sort]}
      {isActive && <Arrow size={14} stroke={1.75} aria-hidden />}
    </button>
  )
}
