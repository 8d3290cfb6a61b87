/** Asks before the trash is emptied, wholly or of what has been in it for some days. */
import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { itemCount } from '../../items/counts.ts'
import { pageConfig } from '../../lib/server/config.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './trash-screen.module.css'

const day = 24 * 60 * 60 * 1000
/** Days in the trash. Those beyond the server's retention are not offered: nothing gets that old. */
const ages = [1, 7, 14, 30, 90, 180]

const daysAgo = (days: number): string => (days === 1 ? '1 day ago' : `${days} days ago`)

interface EmptyDialogProps {
  opened: boolean
  onClose: () => void
  /** The items that are loaded, of `total` in the trash. */
  items: readonly FileItem[]
  total: number
  /** The size of all items in bytes; null when unknown. */
  bytes: number | null
  /** What the trash belongs to, such as ` of Accounts`; empty for the own one. */
  owner: string
  /** Deletes what was deleted at least so many days ago; 0 is everything. */
  onConfirm: (olderThan: number) => void
}

export function EmptyDialog({ opened, onClose, items, total, bytes, owner, onConfirm }: EmptyDialogProps) {
  const [olderThan, setOlderThan] = useState(0)
  const close = () => {
    onClose()
    setOlderThan(0)
  }
  const size = usePhone() ? 'lg' : 'sm'
  const old = items.length === total ? countOld(items, olderThan) : null
  const choices = ages.filter(days => days < pageConfig.trash_retention_days)
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title="Empty Trash"
      confirm={olderThan === 0 ? 'Empty Trash' : 'Delete Permanently'}
      isIdle={old === 0}
      onConfirm={() => onConfirm(olderThan)}
    >
      {choices.length > 0 && (
        <NativeSelect
          label="What to delete"
          size={size}
          className={styles.age}
          value={olderThan}
          onChange={({ currentTarget }) => setOlderThan(Number(currentTarget.value))}
          data={[
            { value: '0', label: 'All items' },
            ...choices.map(days => ({ value: String(days), label: `Deleted at least ${daysAgo(days)}` })),
          ]}
        />
      )}
      {olderThan === 0 ? everything(total, bytes, owner) : oldOnes(old, olderThan, owner)}
    </ConfirmDialog>
  )
}

function everything(total: number, bytes: number | null, owner: string): string {
  const what = total === 1 ? 'The only item' : `All ${itemCount(total)}`
  const size = bytes !== null && bytes > 0 ? ` (${formatSize(bytes)})` : ''
  return `${what} in the trash${owner}${size} will be deleted for good. This action cannot be undone.`
}

function countOld(items: readonly FileItem[], days: number): number {
  if (days === 0) return items.length
  const before = Date.now() - days * day
  return items.filter(({ deleted_at }) => deleted_at !== null && Date.parse(deleted_at) <= before).length
}

/** `old` is their number, which is null until the whole trash is loaded. */
function oldOnes(old: number | null, days: number, owner: string): string {
  if (old === 0) return `Nothing in the trash${owner} was deleted so long ago.`
  const what = old === null ? 'Items' : itemCount(old)
  const which = `in the trash${owner}, deleted at least ${daysAgo(days)},`
  return `${what} ${which} will be deleted for good. This action cannot be undone.`
}
