/** Lines above the rows of the tray: folders being read, a pause that the server asked for, and failures. */
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { labelOf } from '../items/destination.ts'
import { lazyPart } from '../lib/server/lazy-part.ts'
import { canRetryAny, retryFailed } from '../lib/uploads/add-uploads.ts'
import { hasLostFolder, sendElsewhere } from '../lib/uploads/elsewhere.ts'
import { pageUploads, usePause, useReading, useUploadList } from '../lib/uploads/page-uploads.ts'
import { needsFile } from '../lib/uploads/unfinished.ts'
import { formatSize } from '../lib/words/format-size.ts'
import { usePhone } from '../ui/use-phone.ts'
import { count } from './upload-counts.ts'
import styles from './upload-notes.module.css'

const FolderPicker = lazyPart(() => import('../items/folder-picker.tsx'), 'FolderPicker')

export function UploadNotes() {
  const { files: reading } = useReading()
  const { until } = usePause()
  const failed = useUploadList(list => list.totals.failed)
  const chosenAgain = useUploadList(list => list.ids).filter(id => isLost(id)).length
  const size = usePhone() ? 'lg' : 'xs'
  return (
    <>
      {reading !== null && (
        <p className={styles.note}>
          Reading folders…<span className={styles.rest}>{count(reading, 'file')} found</span>
        </p>
      )}
      {until !== null && <PauseNote key={until} until={until} />}
      {chosenAgain > 0 && (
        <p className={styles.note}>
          Choose the {chosenAgain === 1 ? 'file' : 'files'} again to continue, or drop{' '}
          {chosenAgain === 1 ? 'it' : 'them'} here
        </p>
      )}
      {failed > 0 && <RoomNote />}
      {failed > 0 && <LostFolderNote />}
      {failed > 1 && (
        <div className={styles.note} data-tone="danger">
          {count(failed, 'upload')} failed
          {canRetryAny(pageUploads) && (
            <Button variant="subtle" size={size} className={styles.action} onClick={() => retryFailed(pageUploads)}>
              Retry all failed
            </Button>
          )}
        </div>
      )}
    </>
  )
}

/** What has lost its folder, and the choice of another one. */
function LostFolderNote() {
  const uploads = useUploadList(list => list.ids).flatMap(id => pageUploads.rows.byId.get(id) ?? [])
  const lost = uploads.filter(hasLostFolder)
  const [isChoosing, setChoosing] = useState(false)
  const size = usePhone() ? 'lg' : 'xs'
  if (lost.length === 0) return null
  const items = count(lost.length, lost.some(({ isFolder }) => isFolder) ? 'item' : 'file')
  return (
    <div className={styles.note} data-tone="danger">
      {items} {lost.length === 1 ? 'has lost its folder' : 'have lost their folder'}
      <Button variant="subtle" size={size} className={styles.action} onClick={() => setChoosing(true)}>
        Upload elsewhere…
      </Button>
      {isChoosing && (
        <FolderPicker
          title={`Upload ${items}`}
          description={`Choose where to upload ${lost.length === 1 ? lost[0]?.name : items}.`}
          startId={null}
          refusalOf={(_id, { may }) => (may?.add === false ? 'You may not add anything to this folder.' : null)}
          onClose={() => setChoosing(false)}
          onSelect={folder => {
            setChoosing(false)
            sendElsewhere(pageUploads, { id: folder.id, name: labelOf(folder) })
          }}
        />
      )}
    </div>
  )
}

/** What did not fit, and where room can be made. */
function RoomNote() {
  const uploads = useUploadList(list => list.ids).flatMap(id => pageUploads.rows.byId.get(id) ?? [])
  const refused = uploads.filter(({ status, isOverQuota }) => status === 'error' && isOverQuota)
  if (refused.length === 0) return null
  const bytes = refused.reduce((sum, { size }) => sum + size, 0)
  return (
    <p className={styles.note} data-tone="danger">
      <span>
        No room for {count(refused.length, 'file')}, {formatSize(bytes)} in all.
        <span className={styles.rest}>
          Make room in the <Link to="/trash">trash</Link> or among the <Link to="/overview/largest">largest files</Link>
        </span>
      </span>
    </p>
  )
}

/** Whether the browser can no longer open the file of an unfinished upload. */
function isLost(id: number): boolean {
  const upload = pageUploads.rows.byId.get(id)
  return upload !== undefined && needsFile(upload)
}

const secondsUntil = (time: number): number => Math.max(0, Math.ceil((time - Date.now()) / 1000))

function PauseNote({ until }: { until: number }) {
  const [left, setLeft] = useState(secondsUntil(until))
  useEffect(() => {
    const timer = setInterval(() => setLeft(secondsUntil(until)), 1_000)
    return () => clearInterval(timer)
  }, [until])
  return (
    <p className={styles.note}>
      The server asked to wait.<span className={styles.rest}>Going on in {left} s</span>
    </p>
  )
}
