/** A pending file: its details, a preview, and the decision. */
import { Button, UnstyledButton } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { PendingFile } from '../../../src/api/validation.ts'
import { ItemName } from '../../items/item-name.tsx'
import { ItemPicture } from '../../items/item-picture.tsx'
import { DecisionButtons } from '../../items/review/decision-buttons.tsx'
import { placeOf, senderOf } from '../../items/review/origin.ts'
import type { Decision } from '../../items/review/queue-edits.ts'
import { StatusBadge } from '../../items/status-badge.tsx'
import { openPreview } from '../../lib/local/preview.ts'
import { formatDate, formatFullDate } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { Check } from '../../ui/check.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { FileMetadata } from './file-metadata.tsx'
import styles from './queue-row.module.css'
import { RejectForm } from './reject-form.tsx'

interface QueueRowProps {
  file: PendingFile
  /** The queue, which the preview steps through. */
  files: readonly PendingFile[]
  isForbidden: boolean
  /** The reason for a rejection that failed. */
  reason: string | undefined
  isRejecting: boolean
  isSelected: boolean
  onToggle: (event: { shiftKey: boolean }) => void
  /** Whether the rows have kept their places long enough that a click is meant for the row it hits. */
  hasStood: () => boolean
  /** Opens or closes the form for the reason. */
  onReject: (isOpen: boolean) => void
  onDecide: (decision: Decision) => void
}

export function QueueRow({
  file,
  files,
  isForbidden,
  reason,
  isRejecting,
  isSelected,
  onToggle,
  hasStood,
  onReject,
  onDecide,
}: QueueRowProps) {
  const [wasCancelled, setCancelled] = useState(false)
  // On a phone a long name needs the whole line.
  const isPhone = usePhone()
  const preview = () => openPreview(file, files)
  // Screen readers get the folder's path too, to distinguish files of the same name.
  const pathId = useId()
  return (
    <div className={styles.row}>
      {/* Hidden from the keyboard, because the name next to it does the same. */}
      <UnstyledButton className={styles.picture} onClick={preview} tabIndex={-1} aria-hidden>
        <ItemPicture item={file} />
      </UnstyledButton>
      {!isForbidden && (
        <span className={styles.check}>
          <Check label={`Select ${file.name}`} checked={isSelected} onChange={onToggle} />
        </span>
      )}
      <div className={styles.words}>
        <div className={styles.title}>
          <UnstyledButton
            className={styles.name}
            title={file.name}
            aria-label={file.name}
            aria-describedby={pathId}
            onClick={preview}
          >
            <ItemName item={file} />
          </UnstyledButton>
          {!isPhone && <StatusBadge item={file} />}
        </div>
        <p className={styles.meta}>
          {formatSize(file.size)} · <span dir="auto">{senderOf(file)}</span> ·{' '}
          <span title={formatFullDate(file.created_at)}>{formatDate(file.created_at)}</span> ·{' '}
          <span id={pathId} dir="auto">
            {placeOf(file)}
          </span>
          {isPhone && (
            <>
              {' '}
              <StatusBadge item={file} />
            </>
          )}
        </p>
        <FileMetadata file={file} />
      </div>
      {(isForbidden || !isRejecting) && (
        <Actions
          file={file}
          pathId={pathId}
          isForbidden={isForbidden}
          isBack={wasCancelled}
          hasStood={hasStood}
          onPreview={preview}
          onReject={() => onReject(true)}
          onDecide={onDecide}
        />
      )}
      {isRejecting && !isForbidden && (
        <RejectForm
          name={file.name}
          pathId={pathId}
          reason={reason}
          onCancel={() => {
            setCancelled(true)
            onReject(false)
          }}
          onReject={comment => onDecide({ status: 'rejected', comment })}
        />
      )}
    </div>
  )
}

interface ActionsProps {
  file: PendingFile
  /** The id of the element with the folder's path. */
  pathId: string
  isForbidden: boolean
  /** Whether the row is back because a rejection failed. */
  isBack: boolean
  hasStood: () => boolean
  onPreview: () => void
  onReject: () => void
  onDecide: (decision: Decision) => void
}

function Actions({ file, pathId, isForbidden, isBack, hasStood, onPreview, onReject, onDecide }: ActionsProps) {
  const isPhone = usePhone()
  return (
    <div className={styles.actions}>
      {!isPhone && (
        <Button
          variant="subtle"
          leftSection={<IconEye size={16} stroke={1.75} aria-hidden />}
          aria-label={`Preview ${file.name}`}
          aria-describedby={pathId}
          onClick={onPreview}
        >
          Preview
        </Button>
      )}
      {isForbidden ? (
        <p className={styles.reason}>You may not decide on your own files</p>
      ) : (
        <DecisionButtons
          rejecting={{ 'aria-label': `Reject ${file.name}`, 'aria-describedby': pathId, autoFocus: isBack }}
          approving={{ 'aria-label': `Approve ${file.name}`, 'aria-describedby': pathId }}
          hasStood={hasStood}
          onReject={onReject}
          onApprove={() => onDecide({ status: 'approved' })}
        />
      )}
    </div>
  )
}
