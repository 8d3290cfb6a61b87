/** The head of the list: its columns sort it. The grid has only their buttons, and a phone a choice. */
import { VisuallyHidden } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconChevronDown, IconLayoutGrid, IconList } from '@tabler/icons-react'
import { type SortKey, sortKeys } from '../../../src/api/files.ts'
import gridHead from '../../items/list/head/grid-head.module.css'
import listHead from '../../items/list/head/list-head.module.css'
import phoneHead from '../../items/list/head/phone-sort.module.css'
import button from '../../items/list/head/sort-button.module.css'
import toggles from '../../items/list/head/view-toggles.module.css'
import { Check } from '../../ui/check.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './list-head.module.css'
import { sortedBy, sortLabels } from './sorting.ts'
import type { ViewSettings } from './view.ts'

interface HeadProps extends ViewSettings {
  onSelectAll: () => void
}

const arrowOf = (order: 'asc' | 'desc') => (order === 'asc' ? IconArrowUp : IconArrowDown)

export function ListHead(props: HeadProps) {
  const { sort: current, order } = props.sorting
  const isNarrow = useNarrow()
  const columns: readonly SortKey[] = isNarrow ? ['name', 'size', 'date'] : ['name', 'type', 'size', 'date']
  return (
    <div className={listHead.head} role="row" aria-rowindex={1}>
      <div role="columnheader" className={listHead.check}>
        <Check label="Select all" checked={false} onChange={props.onSelectAll} />
      </div>
      {columns.map(key => (
        <div
          key={key}
          role="columnheader"
          className={listHead.cell}
          data-column={key}
          aria-sort={key === current ? (order === 'asc' ? 'ascending' : 'descending') : 'none'}
        >
          <SortButton {...props} sort={key} />
        </div>
      ))}
      <div role="columnheader" className={listHead.toggles}>
        <VisuallyHidden>Actions</VisuallyHidden>
        <ViewToggles {...props} />
      </div>
    </div>
  )
}

export function GridHead(props: HeadProps) {
  return (
    <div className={gridHead.head}>
      <span className={gridHead.check}>
        <Check label="Select all" checked={false} onChange={props.onSelectAll} />
      </span>
      <div className={gridHead.sorts} role="group" aria-label="Sort">
        <span className={gridHead.word} aria-hidden>
          Sort
        </span>
        {sortKeys.map(key => (
          <SortButton key={key} {...props} sort={key} />
        ))}
      </div>
      <span className={gridHead.toggles}>
        <ViewToggles {...props} />
      </span>
    </div>
  )
}

export function PhoneSort(props: ViewSettings) {
  const { sorting, onSort } = props
  const { sort, order } = sorting
  return (
    <div className={phoneHead.sort}>
      <span className={styles.choice}>
        <select
          aria-label="Sort by"
          value={sort}
          onChange={({ currentTarget }) => onSort({ sort: currentTarget.value as SortKey, order: 'asc' })}
        >
          {sortKeys.map(key => (
            <option key={key} value={key}>
              {sortLabels[key]}
            </option>
          ))}
        </select>
        <IconChevronDown size={16} stroke={1.75} aria-hidden />
      </span>
      <IconButton
        label={order === 'asc' ? 'Sorted ascending' : 'Sorted descending'}
        icon={arrowOf(order)}
        size="lg"
        iconSize={20}
        onClick={() => onSort(sortedBy(sort, sorting))}
      />
      <span className={phoneHead.toggles}>
        <ViewToggles {...props} />
      </span>
    </div>
  )
}

function SortButton({ sort, sorting, onSort }: ViewSettings & { sort: SortKey }) {
  const isActive = sort === sorting.sort
  const Arrow = arrowOf(sorting.order)
  return (
    <button
      type="button"
      className={button.sort}
      title={isActive ? `Sorted ${sorting.order === 'asc' ? 'ascending' : 'descending'}` : `Sort by ${sort}`}
      data-active={isActive || undefined}
      onClick={() => onSort(sortedBy(sort, sorting))}
    >
      {sortLabels[sort]}
      {isActive && <Arrow size={14} stroke={1.75} aria-hidden />}
    </button>
  )
}

const views = [
  { view: 'list', label: 'List view', icon: IconList },
  { view: 'grid', label: 'Grid view', icon: IconLayoutGrid },
] as const

function ViewToggles({ view: current, onView }: ViewSettings) {
  const look = usePhone() ? ({ size: 'lg', iconSize: 20 } as const) : {}
  return (
    <span className={toggles.toggles}>
      {views.map(({ view, label, icon }) => (
        <IconButton
          key={view}
          label={label}
          icon={icon}
          aria-pressed={view === current}
          onClick={() => onView(view)}
          {...look}
        />
      ))}
    </span>
  )
}
