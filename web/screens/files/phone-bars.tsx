/** What a phone has instead of toolbar and column heads: bars above the list and the bar of buttons below it. */
import { Button, UnstyledButton } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowUp,
  IconDots,
  IconDownload,
  IconFolderPlus,
  IconRefresh,
  IconSelectAll,
  IconTrash,
  IconUpload,
  IconX,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { type SortKey, sortKeys } from '../../../src/api/files.ts'
import { sortBy, useSorting } from '../../lib/sorting.ts'
import { ActionMenu, type MenuPlace } from '../../ui/action-menu.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { sortLabels } from './list-head.tsx'
import styles from './phone-bars.module.css'
import type { ItemActions } from './use-item-actions.tsx'
import type { Selection } from './use-selection.ts'

interface PhoneTopProps {
  breadcrumbs: ReactNode
  selection: Selection
  onRefresh: () => void
}

/** The way here with a menu, or the count while items are selected. */
export function PhoneTop({ breadcrumbs, selection, onRefresh }: PhoneTopProps) {
  const [place, setPlace] = useState<MenuPlace | null>(null)
  if (selection.ids.size > 0) {
    return (
      <div className={styles.top} data-selecting role="toolbar" aria-label="Selection">
        <IconButton label="Clear selection" icon={IconX} iconSize={20} size="lg" onClick={selection.clear} />
        <h1 className={styles.count} aria-live="polite">
          {selection.ids.size} selected
        </h1>
        <Button variant="subtle" size="lg" onClick={selection.selectAll}>
          Select all
        </Button>
      </div>
    )
  }
  const actions = [
    { label: 'Select all', icon: IconSelectAll, run: selection.selectAll },
    { label: 'Refresh', icon: IconRefresh, run: onRefresh },
  ]
  return (
    <div className={styles.top}>
      {breadcrumbs}
      <IconButton
        label="Folder actions"
        icon={IconDots}
        iconSize={20}
        size="lg"
        onClick={event => setPlace(event.currentTarget.getBoundingClientRect())}
      />
      <ActionMenu place={place} groups={[actions]} label="Folder actions" onClose={() => setPlace(null)} />
    </div>
  )
}

/** The order in force; tapping it offers the others. */
export function PhoneSort() {
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
    <div className={styles.sort}>
      <UnstyledButton
        className={styles.sortButton}
        aria-label={`Sort: ${sortLabels[sort]}, ${order === 'asc' ? 'ascending' : 'descending'}`}
        onClick={event => setPlace(event.currentTarget.getBoundingClientRect())}
      >
        {sortLabels[sort]}
        <Arrow size={14} stroke={1.75} aria-hidden />
      </UnstyledButton>
      <ActionMenu place={place} groups={[sortKeys.map(actionFor)]} label="Sort by" onClose={() => setPlace(null)} />
    </div>
  )
}

interface PhoneBottomProps {
  selection: Selection
  actions: ItemActions
  onNewFolder: () => void
  onUpload: () => void
}

export function PhoneBottom({ selection, actions, onNewFolder, onUpload }: PhoneBottomProps) {
  if (selection.ids.size > 0) {
    return (
      <div className={styles.bottom} data-selecting>
        <UnstyledButton className={styles.act} onClick={() => actions.download(selection.items)}>
          <IconDownload size={20} stroke={1.75} aria-hidden />
          Download
        </UnstyledButton>
        <UnstyledButton className={styles.act} data-tone="danger" onClick={() => actions.trash(selection.items)}>
          <IconTrash size={20} stroke={1.75} aria-hidden />
          Delete
        </UnstyledButton>
      </div>
    )
  }
  return (
    <div className={styles.bottom}>
      <Button
        variant="default"
        size="lg"
        leftSection={<IconFolderPlus size={20} stroke={1.75} aria-hidden />}
        onClick={onNewFolder}
      >
        New Folder
      </Button>
      <Button size="lg" leftSection={<IconUpload size={20} stroke={1.75} aria-hidden />} onClick={onUpload}>
        Upload
      </Button>
    </div>
  )
}
