/** What stands in the head's place while items are selected: how many, how large, and what can be done. */
import { Button } from '@mantine/core'
import { IconDownload, IconTrash, IconX } from '@tabler/icons-react'
import { formatSize } from '../../lib/format-size.ts'
import { Check } from '../../ui/check.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './selection-bar.module.css'
import type { ItemActions } from './use-item-actions.tsx'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps {
  selection: Selection
  /** Entries of the folder that could be selected. */
  selectable: number
  actions: ItemActions
}

export function SelectionBar({ selection, selectable, actions }: SelectionBarProps) {
  const { items, clear, selectAll } = selection
  const isAll = items.length === selectable
  const bytes = items.reduce((sum, { size }) => sum + size, 0)
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selection">
      <div className={styles.check}>
        <Check
          label={isAll ? 'Select none' : 'Select all'}
          checked={isAll}
          indeterminate={!isAll}
          onChange={isAll ? clear : selectAll}
        />
      </div>
      <span className={styles.count} aria-live="polite">
        {items.length.toLocaleString('en-US')} selected
      </span>
      {bytes > 0 && <span className={styles.size}>{formatSize(bytes)}</span>}
      <span className={styles.line} />
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
        onClick={() => actions.download(items)}
      >
        Download
      </Button>
      <Button
        variant="subtle"
        size="xs"
        data-tone="danger"
        leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
        onClick={() => actions.trash(items)}
      >
        Delete
      </Button>
      <span className={styles.clear}>
        Clear <kbd className={styles.key}>Esc</kbd>
        <IconButton label="Clear selection" icon={IconX} onClick={clear} />
      </span>
    </div>
  )
}
