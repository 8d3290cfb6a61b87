/** The head of the list. Its column headings are sort buttons when the list can be sorted. */
import { VisuallyHidden } from '@mantine/core'
import { memo } from 'react'
import type { SortKey } from '../../../../src/api/files.ts'
import { useSorting } from '../../../lib/local/sorting.ts'
import { Check } from '../../../ui/check.tsx'
import type { MiddleColumn } from '../rows/row.ts'
import styles from './list-head.module.css'
import { SortButton, sortLabels } from './sort-button.tsx'
import { ViewToggles } from './view-toggles.tsx'

export interface ListHeadProps {
  middle: MiddleColumn
  isSortable: boolean
  /** Null when there is nothing to select. */
  onSelectAll: (() => void) | null
}

const columns = ['name', 'middle', 'size', 'date'] as const

export const ListHead = memo(function ListHead({ middle, isSortable, onSelectAll }: ListHeadProps) {
  return (
    <div className={styles.head} role="row" aria-rowindex={1} data-middle={middle}>
      <div role="columnheader" className={styles.check}>
        {onSelectAll === null ? (
          <VisuallyHidden>Selection</VisuallyHidden>
        ) : (
          <Check label="Select all" checked={false} onChange={onSelectAll} />
        )}
      </div>
      {columns.map(column => {
        const sort = column !== 'middle' ? column : middle === 'type' ? 'type' : null
        return isSortable && sort !== null ? (
          <SortHead key={column} sort={sort} />
        ) : (
          <div key={column} role="columnheader" className={styles.cell} data-column={column}>
            {sort === null ? 'Location' : sortLabels[sort]}
          </div>
        )
      })}
      <div role="columnheader" className={styles.toggles}>
        <VisuallyHidden>Actions</VisuallyHidden>
        <ViewToggles />
      </div>
    </div>
  )
})

function SortHead({ sort }: { sort: SortKey }) {
  const { sort: current, order } = useSorting()
  const state = order === 'asc' ? 'ascending' : 'descending'
  return (
    <div role="columnheader" aria-sort={sort === current ? state : 'none'} className={styles.cell} data-column={sort}>
      <SortButton sort={sort} />
    </div>
  )
}
