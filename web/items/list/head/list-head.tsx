/** The head of the list. Its column headings are sort buttons when the list can be sorted. */
import { VisuallyHidden } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { type SortKey, sortKeys } from '../../../../src/api/files.ts'
import { lazyPart } from '../../../lib/server/lazy-part.ts'
import { Check } from '../../../ui/check.tsx'
import { type Columns, columnLabels, type ListShape } from '../columns/columns.ts'
import { ColumnsButton } from '../columns/columns-button.tsx'
import styles from './list-head.module.css'
import { useListSorting } from './list-sorting.ts'
import { SortButton } from './sort-button.tsx'
import { ViewToggles } from './view-toggles.tsx'

export const ColumnEdge = lazyPart(() => import('../columns/column-edge.tsx'), 'ColumnEdge')

interface ListHeadProps {
  columns: Columns
  shape: ListShape
  isSortable: boolean
  /** Null when there is nothing to select. */
  onSelectAll: (() => void) | null
}

export const ListHead = memo(function ListHead({ columns, shape, isSortable, onSelectAll }: ListHeadProps) {
  const { wide, widths } = columns
  return (
    <div className={styles.head} role="row" aria-rowindex={1}>
      <div role="columnheader" className={styles.check}>
        {onSelectAll === null ? (
          <VisuallyHidden>Selection</VisuallyHidden>
        ) : (
          <Check label="Select all" checked={false} onChange={onSelectAll} />
        )}
      </div>
      <Heading column="name" label="Name" isSortable={isSortable} />
      {wide.map((column, index) => (
        <Heading key={column} column={column} label={columnLabels[column]} isSortable={isSortable}>
          <ColumnEdge column={column} widths={widths} index={index} />
        </Heading>
      ))}
      <div role="columnheader" className={styles.toggles}>
        <VisuallyHidden>Actions</VisuallyHidden>
        <ColumnsButton shape={shape} />
        <ViewToggles />
      </div>
    </div>
  )
})

interface HeadingProps {
  column: string
  label: string
  isSortable: boolean
  children?: ReactNode
}

function Heading({ column, label, isSortable, children }: HeadingProps) {
  const sort = isSortable ? sortKeys.find(key => key === column) : undefined
  return (
    <div role="columnheader" aria-sort={useAriaSort(sort)} className={styles.cell} data-column={column}>
      {sort === undefined ? label : <SortButton sort={sort} />}
      {children}
    </div>
  )
}

function useAriaSort(sort: SortKey | undefined) {
  const { sort: current, order } = useListSorting()
  if (sort === undefined) return undefined
  if (sort !== current) return 'none'
  return order === 'asc' ? 'ascending' : 'descending'
}
