/** The tray of uploads above the footer: a row for each file, and last the field to add more. */
import { Button, Modal } from '@mantine/core'
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { cancelAllUploads, isUnfinished, type Upload, useUploads } from '../lib/uploads.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { usePhone } from '../ui/use-phone.ts'
import { DropField } from './drop-field.tsx'
import { UploadRow } from './upload-row.tsx'
import styles from './upload-tray.module.css'

/** Rows drawn at once; completed ones make room for the next. */
const shownRows = 50

function titleOf(uploads: readonly Upload[]): string {
  const failed = uploads.filter(({ status }) => status === 'error').length
  const open = uploads.filter(isUnfinished).length
  if (open > 0) return `Uploading ${uploads.length - open + 1} of ${uploads.length}`
  if (failed > 0) return failed === 1 ? '1 upload failed' : `${failed} uploads failed`
  return uploads.length > 0 ? 'Upload complete' : 'Upload'
}

/** Whole percent of the bytes of all rows that have not failed. */
function percentOf(uploads: readonly Upload[]): number {
  const counted = uploads.filter(({ status }) => status !== 'error')
  const total = counted.reduce((sum, { file }) => sum + file.size, 0)
  return total === 0 ? 0 : Math.floor((counted.reduce((sum, { sent }) => sum + sent, 0) / total) * 100)
}

export function UploadTray() {
  const { uploads, isOpen } = useUploads()
  const [isFolded, setFolded] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const iconSize = usePhone() ? 'lg' : 'sm'
  const open = uploads.filter(isUnfinished).length
  // Moving about inside the product is no reason to ask: uploads go on.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: open > 0 })
  if (!isOpen) return null
  return (
    <section className={styles.tray} aria-label="Uploads">
      <header className={styles.head}>
        <h2 className={styles.title}>
          {titleOf(uploads)} {open > 0 && <span className={styles.percent}>{percentOf(uploads)}%</span>}
        </h2>
        <IconButton
          label={isFolded ? 'Show uploads' : 'Hide uploads'}
          icon={isFolded ? IconChevronUp : IconChevronDown}
          size={iconSize}
          aria-expanded={!isFolded}
          onClick={() => setFolded(!isFolded)}
        />
        <IconButton
          label={open > 0 ? 'Cancel all uploads' : 'Close uploads'}
          icon={IconX}
          size={iconSize}
          onClick={() => (open > 0 ? setAsking(true) : cancelAllUploads())}
        />
      </header>
      {!isFolded && (
        <div className={styles.rows}>
          {uploads.slice(0, shownRows).map(upload => (
            <UploadRow key={upload.id} upload={upload} />
          ))}
          {uploads.length > shownRows && <p className={styles.more}>and {uploads.length - shownRows} more</p>}
          <DropField />
        </div>
      )}
      <CancelDialog opened={isAsking && open > 0} count={open} onClose={() => setAsking(false)} />
    </section>
  )
}

function CancelDialog({ opened, count, onClose }: { opened: boolean; count: number; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title="Cancel uploads" size={400}>
      <p>{count === 1 ? '1 file has not been uploaded yet.' : `${count} files have not been uploaded yet.`}</p>
      <div className={styles.dialogActions}>
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep uploading
        </Button>
        <Button data-tone="danger" onClick={cancelAllUploads}>
          Cancel uploads
        </Button>
      </div>
    </Modal>
  )
}
