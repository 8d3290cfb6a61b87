/** A file to send: its name, how far it is, and the buttons to remove it or send it again. */
import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconX } from '@tabler/icons-react'
import { memo } from 'react'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import { formatShare, formatSize } from '../../lib/words/format-size.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { type Outgoing, removeFile, retry } from './outbox.ts'
import styles from './outgoing-row.module.css'

function wordsOf({ status, file, sent, reason, mayHaveArrived }: Outgoing): string {
  if (status === 'arrived') return 'Arrived'
  if (status === 'failed') return mayHaveArrived ? `${reason}. An earlier try may have arrived` : `${reason}`
  return status === 'sending' && sent > 0 ? formatShare(sent, file.size) : formatSize(file.size)
}

/** Moves the focus to a neighbour's button, because this row is about to go; else to the drop area. */
function removeRow(button: HTMLElement, id: number): void {
  const row = button.closest('li')
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  const heir = neighbour?.querySelector<HTMLElement>('[data-remove]')
  if (heir) heir.focus()
  else button.closest('form')?.querySelector<HTMLElement>('[data-choose] button')?.focus()
  removeFile(id)
}

export const OutgoingRow = memo(function OutgoingRow({ outgoing }: { outgoing: Outgoing }) {
  const { id, file, status, sent, canRetry } = outgoing
  const isPhone = usePhone()
  const item = { name: file.name, is_directory: false, mime_type: file.type || null }
  return (
    <li className={styles.row} data-status={status}>
      <ItemIcon item={item} size={28} />
      <div className={styles.middle}>
        <div className={styles.name} title={file.name}>
          <ItemName item={item} />
        </div>
        <div className={styles.words}>
          <span className={status === 'failed' ? styles.failed : undefined}>{wordsOf(outgoing)}</span>
        </div>
      </div>
      {status === 'arrived' && <IconCircleCheckFilled size={18} className={styles.check} aria-hidden />}
      {status === 'failed' && canRetry && (
        <Button
          variant="subtle"
          size={isPhone ? 'lg' : 'xs'}
          aria-label={`Retry ${file.name}`}
          onClick={() => retry([id])}
        >
          Retry
        </Button>
      )}
      {(status === 'waiting' || status === 'failed') && (
        <IconButton
          label={`Remove ${file.name}`}
          icon={IconX}
          size={isPhone ? 'lg' : 'sm'}
          data-remove
          onClick={({ currentTarget }) => removeRow(currentTarget, id)}
        />
      )}
      {status === 'sending' && <Bar name={file.name} share={file.size === 0 ? 1 : sent / file.size} />}
    </li>
  )
})

function Bar({ name, share }: { name: string; share: number }) {
  const percent = Math.round(share * 100)
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={`Sending ${name}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div className={styles.bar} style={{ width: `${percent}%` }} />
    </div>
  )
}
