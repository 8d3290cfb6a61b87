/** The rows of the queue, of which only those in view are rendered. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import type { PendingFile } from '../../../src/api/validation.ts'
import { usePhone } from '../../ui/use-phone.ts'
import type { Decision } from './decide.ts'
import styles from './queue-list.module.css'
import { QueueRow } from './queue-row.tsx'

interface QueueListProps {
  files: readonly PendingFile[]
  /** Whether the user may not decide on a file. */
  isForbidden: (file: PendingFile) => boolean
  /** The reasons for rejections that were not carried out, by file. */
  reasons: ReadonlyMap<number, string>
  onDecide: (file: PendingFile, decision: Decision) => void
  /** Called when the last file has left the queue by a decision. */
  onLast: () => void
}

/** Pixels; rows are measured once they stand. */
const likelyHeight = { desktop: 105, phone: 173 }

export function QueueList({ files, isForbidden, reasons, onDecide, onLast }: QueueListProps) {
  const scroller = useRef<HTMLUListElement>(null)
  const [rejectedId, setRejectedId] = useState<number | null>(null)
  const isPhone = usePhone()
  const virtualizer = useVirtualizer({
    count: files.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isPhone ? likelyHeight.phone : likelyHeight.desktop),
    getItemKey: index => files[index]?.id ?? index,
    overscan: 4,
  })
  const focusNext = useFocusAfterDecision(scroller, files, onLast)

  const decideOn = (file: PendingFile, decision: Decision) => {
    focusNext(file)
    setRejectedId(null)
    onDecide(file, decision)
  }

  return (
    <ul ref={scroller} className={styles.scroller} aria-label="Pending files">
      <li className={styles.room} style={{ height: virtualizer.getTotalSize() }} aria-hidden />
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const file = files[index]
        return (
          file && (
            <li
              key={file.id}
              ref={virtualizer.measureElement}
              data-index={index}
              data-file={file.id}
              aria-setsize={files.length}
              aria-posinset={index + 1}
              aria-label={file.name}
              className={styles.row}
              style={{ transform: `translateY(${start}px)` }}
            >
              <QueueRow
                file={file}
                files={files}
                isForbidden={isForbidden(file)}
                reason={reasons.get(file.id)}
                isRejecting={rejectedId === file.id}
                onReject={isOpen => setRejectedId(isOpen ? file.id : null)}
                onDecide={decision => decideOn(file, decision)}
              />
            </li>
          )
        )
      })}
    </ul>
  )
}

/** Hands the focus on to the file behind the one that is decided, so that a queue is worked off by one key. */
function useFocusAfterDecision(
  scroller: React.RefObject<HTMLUListElement | null>,
  files: readonly PendingFile[],
  onLast: () => void,
) {
  const wanted = useRef<{ from: number; to: number | undefined } | null>(null)
  useLayoutEffect(() => {
    if (wanted.current === null || files.some(({ id }) => id === wanted.current?.from)) return
    const { to } = wanted.current
    wanted.current = null
    scroller.current?.querySelector<HTMLElement>(`[data-file="${to}"] [data-next]`)?.focus()
  })
  return (file: PendingFile) => {
    const index = files.findIndex(({ id }) => id === file.id)
    const to = files[index + 1]?.id ?? files[index - 1]?.id
    wanted.current = { from: file.id, to }
    if (to === undefined) onLast()
  }
}
