/** How far the sending is, in place of the drop area. */
import { useEffect, useRef } from 'react'
import { formatShare } from '../../lib/words/format-size.ts'
import { useOutbox } from './outbox.ts'
import { usePause } from './pause.ts'
import styles from './sending.module.css'

const pausedWords = {
  busy: 'The server is busy. Sending goes on in a moment…',
  broken: 'The connection broke. Please keep this page open: sending goes on by itself',
}

export function Sending() {
  const { files } = useOutbox()
  const { cause } = usePause()
  const title = useRef<HTMLSpanElement>(null)
  // The button that started it is gone.
  useEffect(() => title.current?.focus(), [])
  const going = files.filter(({ status }) => status !== 'failed')
  const arrived = going.filter(({ status }) => status === 'arrived').length
  const bytes = going.reduce((sum, { file }) => sum + file.size, 0)
  const sent = going.reduce((sum, one) => sum + one.sent, 0)
  const percent = bytes === 0 ? 100 : Math.floor((sent / bytes) * 100)
  return (
    <div className={styles.sending}>
      <p className={styles.words}>
        <span ref={title} className={styles.title} role="status" tabIndex={-1}>
          {cause === null ? 'Sending. Please keep this page open' : pausedWords[cause]}
        </span>
        <span className={styles.count}>
          {arrived.toLocaleString('en-US')} of {going.length.toLocaleString('en-US')} · {formatShare(sent, bytes)}
        </span>
      </p>
      <div
        className={styles.track}
        role="progressbar"
        aria-label="Sending all files"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <div className={styles.bar} data-paused={cause !== null || undefined} style={{ width: `${percent}%` }} />
      </div>
    </div>
  )
}
