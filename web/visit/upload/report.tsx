/** What has arrived, after everything was tried. */
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { fileCount } from '../../items/counts.ts'
import { MissingDrawing } from '../../ui/drawing.tsx'
import { ApprovedDrawing } from '../../ui/drawings.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { retry, sendMore, useOutbox } from './outbox.ts'
import { OutgoingRow } from './outgoing-row.tsx'
import styles from './report.module.css'

export function Report() {
  const { files } = useOutbox()
  const size = usePhone() ? 'lg' : 'sm'
  const heading = useRef<HTMLHeadingElement>(null)
  const failed = files.filter(({ status }) => status === 'failed')
  const again = failed.filter(({ canRetry }) => canRetry).map(({ id }) => id)
  const arrived = files.length - failed.length
  const isAll = failed.length === 0
  const isUnsure = failed.some(({ mayHaveArrived }) => mayHaveArrived)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={styles.report}>
      <div className={styles.drawing}>{isAll ? <ApprovedDrawing /> : <MissingDrawing />}</div>
      <h2 ref={heading} className={styles.title} tabIndex={-1}>
        {isAll ? wholly(arrived) : partly(arrived, files.length, isUnsure)}
      </h2>
      <div className={styles.actions}>
        {again.length > 0 && (
          <Button size={size} onClick={() => retry(again)}>
            Retry {again.length === 1 ? '1 file' : `all ${again.length.toLocaleString('en-US')}`}
          </Button>
        )}
        <Button variant="default" size={size} onClick={sendMore}>
          Send more files
        </Button>
      </div>
      <ul className={styles.files} aria-label="Sent files">
        {[...failed, ...files.filter(({ status }) => status !== 'failed')].map(outgoing => (
          <OutgoingRow key={outgoing.id} outgoing={outgoing} />
        ))}
      </ul>
    </div>
  )
}

const wholly = (arrived: number): string => `${fileCount(arrived)} ${arrived === 1 ? 'has' : 'have'} arrived. Thank you`

/** `isUnsure`: a file that failed may have arrived, because only the answer was lost. */
function partly(arrived: number, all: number, isUnsure: boolean): string {
  const words =
    arrived === 0 ? 'Nothing has arrived' : `${arrived.toLocaleString('en-US')} of ${fileCount(all)} have arrived`
  return isUnsure ? `${words} for sure` : words
}
