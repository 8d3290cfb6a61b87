/** The upload tray above the footer: a row for each file, then the field to add more. */
import { IconChevronDown, IconChevronUp, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { lazyPart } from '../lib/server/lazy-part.ts'
import { pageUploads, useAskedClash, useReading, useUploadList } from '../lib/uploads/page-uploads.ts'
import { dismissFailed } from '../lib/uploads/queue.ts'
import { closeTray } from '../lib/uploads/tray.ts'
import { openOf } from '../lib/uploads/upload.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { useLast } from '../ui/use-last.ts'
import { usePhone } from '../ui/use-phone.ts'
import { DropField } from './drop-field.tsx'
import { count, percentOf, titleOf } from './upload-counts.ts'
import { UploadNotes } from './upload-notes.tsx'
import { UploadRows } from './upload-rows.tsx'
import styles from './upload-tray.module.css'
import { UploadVoice } from './upload-voice.tsx'

const MetadataDialog = lazyPart(() => import('./upload-metadata-dialog.tsx'), 'UploadMetadataDialog')
const ClashDialog = lazyPart(() => import('./upload-clash-dialog.tsx'), 'UploadClashDialog')

export function UploadTray() {
  const [isFolded, setFolded] = useState(false)
  return (
    <section className={styles.tray} aria-label="Uploads">
      <Head isFolded={isFolded} onFold={() => setFolded(!isFolded)} />
      {!isFolded && (
        <>
          <UploadNotes />
          <UploadRows />
          <DropField />
        </>
      )}
      <UploadVoice />
      <Questions />
    </section>
  )
}

function Head({ isFolded, onFold }: { isFolded: boolean; onFold: () => void }) {
  const totals = useUploadList(list => list.totals)
  const { files: reading } = useReading()
  const [isAsking, setAsking] = useState(false)
  const iconSize = usePhone() ? 'lg' : 'sm'
  const open = openOf(totals)
  const isBusy = open > 0 || reading !== null
  // Withdraw the question once the work is done: it was not about uploads that start later.
  if (isAsking && !isBusy) setAsking(false)
  return (
    <header className={styles.head}>
      <h2 className={styles.title}>
        {titleOf(totals, reading)} {open > 0 && <span className={styles.percent}>{percentOf(totals)}%</span>}
      </h2>
      <IconButton
        label={isFolded ? 'Show uploads' : 'Hide uploads'}
        icon={isFolded ? IconChevronUp : IconChevronDown}
        size={iconSize}
        aria-expanded={!isFolded}
        onClick={onFold}
      />
      <IconButton
        label={isBusy ? 'Cancel all uploads' : 'Close uploads'}
        icon={IconX}
        size={iconSize}
        onClick={() => (isBusy ? setAsking(true) : dismissFailed(pageUploads))}
      />
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Cancel uploads"
        confirm="Cancel uploads"
        cancel="Keep uploading"
        onConfirm={closeTray}
      >
        {open === 0 ? 'The folders are still being read.' : notUploaded(open)}
      </ConfirmDialog>
    </header>
  )
}

const notUploaded = (open: number): string =>
  open === 1 ? '1 file has not been uploaded yet.' : `${count(open, 'file')} have not been uploaded yet.`

/** The dialogs of uploads, one after the other. */
function Questions() {
  const describing = useUploadList(list => list.describing[0])
  const clashing = useAskedClash()
  const hasDescribed = useLast(describing ?? null) !== null
  const hasClashed = useLast(clashing ?? null) !== null
  return (
    <>
      {hasDescribed && <MetadataDialog id={describing} />}
      {hasClashed && <ClashDialog id={describing === undefined ? clashing : undefined} />}
    </>
  )
}
