/** One file on its way up: its name, how far it is, and the way to stop, repeat or dismiss it. */
import { Button } from '@mantine/core'
import { IconCircleCheckFilled, IconX } from '@tabler/icons-react'
import { ItemIcon } from '../items/item-icon.tsx'
import { ItemName } from '../items/item-name.tsx'
import { formatShare, formatSize } from '../lib/format-size.ts'
import { removeUpload, retryUpload, type Upload } from '../lib/uploads.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { usePhone } from '../ui/use-phone.ts'
import styles from './upload-row.module.css'

/** Seconds of sending before the speed says anything. */
const settlingTime = 1

function timeLeft({ sent, startedAt, file }: Upload): string {
  const seconds = (performance.now() - startedAt) / 1000
  if (seconds < settlingTime || sent === 0) return ''
  const left = Math.ceil(((file.size - sent) / sent) * seconds)
  return left < 60 ? ` · ${left} s left` : ` · ${Math.ceil(left / 60)} min left`
}

function UploadWords({ upload }: { upload: Upload }) {
  const { status, file, sent, note } = upload
  if (status === 'waiting') return <>Waiting · {formatSize(file.size)}</>
  if (status === 'completed') return <>{note === null ? 'Completed' : `Completed as ${note}`}</>
  if (status === 'error') {
    return (
      <span className={styles.failed}>
        <b>Failed</b> · {note}
      </span>
    )
  }
  return (
    <>
      {formatShare(sent, file.size)}
      {timeLeft(upload)}
    </>
  )
}

export function UploadRow({ upload }: { upload: Upload }) {
  const { id, file, status } = upload
  const size = usePhone() ? 'lg' : 'sm'
  const item = { name: file.name, is_directory: false, mime_type: file.type || null }
  const percent = file.size === 0 ? 0 : Math.round((upload.sent / file.size) * 100)
  return (
    <div className={styles.row} role="group" aria-label={file.name}>
      <ItemIcon item={item} size={28} />
      <div className={styles.middle}>
        <div className={styles.name} title={file.name}>
          <ItemName item={item} />
        </div>
        <div className={styles.words} title={upload.note ?? undefined}>
          <UploadWords upload={upload} />
        </div>
      </div>
      {status === 'completed' && <IconCircleCheckFilled size={18} className={styles.check} aria-hidden />}
      {status === 'error' && (
        <Button variant="subtle" size={size === 'lg' ? 'lg' : 'xs'} onClick={() => retryUpload(id)}>
          Retry
        </Button>
      )}
      <IconButton
        label={status === 'waiting' || status === 'uploading' ? `Cancel ${file.name}` : `Remove ${file.name}`}
        icon={IconX}
        size={size}
        onClick={() => removeUpload(id)}
      />
      {status === 'uploading' && (
        <div
          className={styles.track}
          role="progressbar"
          aria-label={`Uploading ${file.name}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <div className={styles.bar} style={{ width: `${percent}%` }} />
        </div>
      )}
    </div>
  )
}
