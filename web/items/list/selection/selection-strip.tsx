/** Replaces the head during a selection: number of items, total size, and actions. */
import { Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { formatSize } from '../../../lib/words/format-size.ts'
import { Check } from '../../../ui/check.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { Listing } from '../listing.ts'
import type { SelectionAct } from './selection-acts.ts'
import { SelectionProgress } from './selection-progress.tsx'
import styles from './selection-strip.module.css'
import type { Selection } from './use-selection.ts'

interface SelectionStripProps {
  listing: Listing
  selection: Selection
  acts: readonly SelectionAct[]
}

export function SelectionStrip(props: SelectionStripProps) {
  const { selection, acts } = props
  const { items, clear } = selection
  const bytes = items.reduce((sum, { size }) => sum + size, 0)
  return (
    <div className={styles.bar} role="toolbar" aria-label="Selection">
      {selection.awaited === null ? (
        <>
          <SelectAll {...props} />
          <span className={styles.count} aria-live="polite">
            {items.length.toLocaleString('en-US')} selected
          </span>
          {bytes > 0 && (
            <span className={styles.size}>
              {formatSize(bytes)}
              {items.some(item => item.is_directory) && ' without folders'}
            </span>
          )}
          <span className={styles.line} />
          {acts.map(({ word, full, icon: Glyph, tone, run }) => (
            <Button
              key={word}
              variant="subtle"
              size="xs"
              data-tone={tone}
              leftSection={<Glyph size={16} stroke={1.75} aria-hidden />}
              aria-label={full ?? word}
              title={full ?? word}
              onClick={() => run(items)}
            >
              <span className={styles.word}>{word}</span>
            </Button>
          ))}
        </>
      ) : (
        <SelectionProgress loaded={props.listing.items.length} wanted={selection.awaited} />
      )}
      <span className={styles.clear}>
        <span className={styles.word}>
          {selection.awaited === null ? 'Clear' : 'Cancel'} <kbd className={styles.key}>Esc</kbd>
        </span>
        <IconButton label={selection.awaited === null ? 'Clear selection' : 'Cancel'} icon={IconX} onClick={clear} />
      </span>
    </div>
  )
}

function SelectAll({ listing, selection }: Omit<SelectionStripProps, 'acts'>) {
  const isAll = selection.items.length === listing.total
  return (
    <div className={styles.check}>
      <Check
        label={isAll ? 'Select none' : 'Select all'}
        checked={isAll}
        indeterminate={!isAll}
        onChange={isAll ? selection.clear : selection.selectAll}
      />
    </div>
  )
}
