/** What takes the head's place while something is selected; on a phone the count and the buttons are two bars. */
import { Button, UnstyledButton } from '@mantine/core'
import { IconDownload, IconX } from '@tabler/icons-react'
import phone from '../../items/list/selection/phone-selection.module.css'
import strip from '../../items/list/selection/selection-strip.module.css'
import { formatSize } from '../../lib/words/format-size.ts'
import { Check } from '../../ui/check.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { saveItems } from '../downloads.ts'
import type { Selection } from './use-selection.ts'

interface BarProps {
  selection: Selection
  /** The number of items in the folder. */
  total: number
}

const countOf = ({ items, isGathering }: Selection): string =>
  isGathering ? 'Selecting all…' : `${items.length.toLocaleString('en-US')} selected`

export function SelectionBar({ selection, total }: BarProps) {
  const { items, isGathering, selectAll, clear } = selection
  const isAll = items.length === total
  const bytes = items.reduce((sum, { size }) => sum + size, 0)
  return (
    <div className={strip.bar} role="toolbar" aria-label="Selection">
      <div className={strip.check}>
        <Check
          label={isAll ? 'Select none' : 'Select all'}
          checked={isAll}
          indeterminate={!isAll}
          disabled={isGathering}
          onChange={isAll ? clear : selectAll}
        />
      </div>
      <span className={strip.count} aria-live="polite">
        {countOf(selection)}
      </span>
      {bytes > 0 && (
        <span className={strip.size}>
          {formatSize(bytes)}
          {items.some(item => item.is_directory) && ' without folders'}
        </span>
      )}
      <span className={strip.line} />
      <Button
        variant="subtle"
        size="xs"
        leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
        disabled={isGathering}
        onClick={() => saveItems(items)}
      >
        Download
      </Button>
      <span className={strip.clear}>
        <span>
          Clear <kbd className={strip.key}>Esc</kbd>
        </span>
        <IconButton label="Clear selection" icon={IconX} onClick={clear} />
      </span>
    </div>
  )
}

export function PhoneSelectionTop({ selection }: { selection: Selection }) {
  return (
    <div className={phone.top} data-over="sort" role="toolbar" aria-label="Selection">
      <IconButton label="Clear selection" icon={IconX} iconSize={20} size="lg" onClick={selection.clear} />
      <span className={phone.count} aria-live="polite">
        {countOf(selection)}
      </span>
      <Button variant="subtle" size="lg" disabled={selection.isGathering} onClick={selection.selectAll}>
        Select all
      </Button>
    </div>
  )
}

export const PhoneSelectionBottom = ({ selection }: { selection: Selection }) => (
  <div className={phone.bottom}>
    <UnstyledButton className={phone.act} disabled={selection.isGathering} onClick={() => saveItems(selection.items)}>
      <IconDownload size={20} stroke={1.75} aria-hidden />
      Download
    </UnstyledButton>
  </div>
)
