/** One upload: its name, progress, and buttons to cancel, retry or dismiss it. */
import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconX } from '@tabler/icons-react'
import { memo } from 'react'
import { ItemIcon } from '../items/item-icon.tsx'
import { ItemName } from '../items/item-name.tsx'
import { canRetry, retryUploads } from '../lib/uploads/add-uploads.ts'
import { askAgain } from '../lib/uploads/clashes.ts'
import { pageUploads, useUpload } from '../lib/uploads/page-uploads.ts'
import { cancelUpload } from '../lib/uploads/queue.ts'
import { fullWayTo, wayTo } from '../lib/uploads/target-folder.ts'
import { continueUpload } from '../lib/uploads/unfinished.ts'
import type { Upload } from '../lib/uploads/upload.ts'
import { formatShare, formatSize } from '../lib/words/format-size.ts'
import { openFileChooser } from '../ui/file-chooser.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { usePhone } from '../ui/use-phone.ts'
import styles from './upload-row.module.css'

/** Whether its bytes are leaving the page. Of files that go in one request, the later ones wait for the earlier. */
const isLeaving = ({ status, sent }: Upload): boolean => status === 'uploading' && sent > 0

/** Whether some of it is sent and the others follow, maybe once the server is back. */
const hasBegun = ({ status, sent }: Upload): boolean => ['uploading', 'waiting'].includes(status) && sent > 0

/** Seconds of sending before the speed is meaningful. */
const settlingTime = 1

function timeLeft({ sent, sentBefore, startedAt, size }: Upload): string {
  const seconds = (performance.now() - startedAt) / 1000
  if (seconds < settlingTime || sent <= sentBefore) return ''
  const left = Math.ceil(((size - sent) / (sent - sentBefore)) * seconds)
  return left < 60 ? ` · ${left} s left` : ` · ${Math.ceil(left / 60)} min left`
}

function chooseOne(onChosen: (file: File) => void): void {
  openFileChooser(({ files: [picked] }) => picked === undefined || onChosen(picked.file))
}

function wordsOf(upload: Upload): string {
  const { status, size, sent, note, isFolder } = upload
  if (status === 'unfinished') return note ?? `${formatShare(sent, size)} sent`
  if (status === 'describing') return 'Waiting for metadata'
  if (status === 'clashing') return 'Name taken · waiting for you'
  if (status === 'completed') return note === null ? 'Completed' : `Completed · ${note}`
  if (isFolder) return status === 'waiting' ? 'Waiting · Folder' : 'Creating folder'
  if (isLeaving(upload)) return formatShare(sent, size) + timeLeft(upload)
  return `Waiting · ${sent === 0 ? formatSize(size) : `${formatShare(sent, size)} sent`}`
}

/** Moves the focus to the same button of a neighbouring row, because this row is about to disappear. */
function focusNeighbour(button: HTMLElement): void {
  const row = button.closest('[data-upload]')
  const neighbour = row?.nextElementSibling ?? row?.previousElementSibling
  neighbour?.querySelector<HTMLElement>('[data-remove]')?.focus()
}

/** What the button does that takes a row away; for those that are not named, it cancels the upload. */
const removeWord: Partial<Record<Upload['status'], string>> = {
  completed: 'Remove',
  error: 'Remove',
  unfinished: 'Discard',
}

/** What the row's button does; null for no button. */
function actOf(upload: Upload): { label: string; run: () => void } | null {
  const { id, status } = upload
  if (status === 'unfinished') {
    return { label: 'Continue', run: () => void continueUpload(pageUploads, upload, chooseOne) }
  }
  if (status === 'clashing') return { label: 'Decide', run: () => askAgain(pageUploads) }
  const isAgain = status === 'error' && canRetry(pageUploads, upload)
  return isAgain ? { label: 'Retry', run: () => retryUploads(pageUploads, [id]) } : null
}

interface UploadRowProps {
  id: number
  /** Pixels from the top of the list. */
  top: number
}

export const UploadRow = memo(({ id, top }: UploadRowProps) => {
  const upload = useUpload(id)
  const size = usePhone() ? 'lg' : 'sm'
  if (upload === undefined) return null
  const { name, status, note, target, isFolder } = upload
  const item = { name, is_directory: isFolder, mime_type: upload.file?.type || null }
  const act = actOf(upload)
  const way = isFolder ? '' : wayTo(target)
  const folder = isFolder ? target.parent : target
  const place = folder === null ? '' : fullWayTo(folder)
  return (
    <div className={styles.row} role="group" aria-label={name} style={{ top }} data-upload={status}>
      <ItemIcon item={item} size={28} />
      <div className={styles.middle}>
        <div className={styles.name} title={way === '' ? name : `${way}/${name}`}>
          <ItemName item={item} />
        </div>
        <div className={styles.words} title={[note, place && `in ${place}`].filter(Boolean).join(' · ')}>
          {status === 'error' ? (
            <span className={styles.failed}>
              <b>Failed</b> · {note}
            </span>
          ) : (
            wordsOf(upload)
          )}
          {place !== '' && (
            <>
              {' · in '}
              <bdi>{place}</bdi>
            </>
          )}
        </div>
      </div>
      {status === 'completed' && <IconCircleCheckFilled size={18} className={styles.check} aria-hidden />}
      {act !== null && (
        <Button
          variant="subtle"
          size={size === 'lg' ? 'lg' : 'xs'}
          aria-label={`${act.label} ${name}`}
          onClick={act.run}
        >
          {act.label}
        </Button>
      )}
      <IconButton
        label={`${removeWord[status] ?? 'Cancel'} ${name}`}
        icon={IconX}
        size={size}
        data-remove
        onClick={event => {
          focusNeighbour(event.currentTarget)
          cancelUpload(pageUploads, id)
        }}
      />
      {hasBegun(upload) && <Bar upload={upload} />}
    </div>
  )
})

function Bar({ upload: { name, size, sent } }: { upload: Upload }) {
  const percent = Math.round((sent / size) * 100)
  return (
    <div
      className={styles.track}
      role="progressbar"
      aria-label={`Uploading ${name}`}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
    >
      <div className={styles.bar} style={{ width: `${percent}%` }} />
    </div>
  )
}
