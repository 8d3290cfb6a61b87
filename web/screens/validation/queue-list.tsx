/** The rows of the queue, windowed. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import type { PendingFile } from '../../../src/api/validation.ts'
import { useInHand } from '../../items/acts/in-hand.ts'
import { SelectionStrip } from '../../items/list/selection/selection-strip.tsx'
import type { Decision } from '../../items/review/queue-edits.ts'
import { Check } from '../../ui/check.tsx'
import { useFocusHeir } from '../../ui/use-focus-heir.ts'
import { useLow } from '../../ui/use-low.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './queue-list.module.css'
import { QueueRow } from './queue-row.tsx'
import type { QueueSelection } from './queue-selection.tsx'

interface QueueListProps {
  files: readonly PendingFile[]
  selection: QueueSelection
  /** Whether the user may not decide on a file. */
  isForbidden: (file: PendingFile) => boolean
  /** The reasons for rejections that failed, by file. */
  reasons: ReadonlyMap<number, string>
  onDecide: (file: PendingFile, decision: Decision) => void
  /** Called when a decision has removed the last file. */
  onLast: () => void
}

/** Estimated heights in pixels; rows are measured once they are rendered. */
const likelyHeight = { desktop: 105, phone: 173, low: 47 }

export function QueueList({ files, selection: queue, isForbidden, reasons, onDecide, onLast }: QueueListProps) {
  const scroller = useRef<HTMLUListElement>(null)
  const [rejectedId, setRejectedId] = useState<number | null>(null)
  const isPhone = usePhone()
  const isLow = useLow()
  const { selection, listing } = queue
  const inHand = useInHand(({ ids }) => ids)
  const virtualizer = useVirtualizer({
    count: files.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => likelyHeight[isLow ? 'low' : isPhone ? 'phone' : 'desktop'],
    getItemKey: index => files[index]?.id ?? index,
    overscan: 4,
  })
  const focusNext = useFocusHeir(scroller, files, onLast)
  const hasStood = useStanding(files)

  const decideOn = (file: PendingFile, decision: Decision) => {
    focusNext(file)
    setRejectedId(null)
    onDecide(file, decision)
  }

  const toggle = (file: PendingFile, { shiftKey }: { shiftKey: boolean }) => {
    if (shiftKey) selection.extendTo(listing.items.indexOf(file))
    else selection.toggle(file.id)
  }
  /** Selects a row by a click beside its controls, as in every list. */
  const click = (file: PendingFile, event: MouseEvent) => {
    if (isForbidden(file) || (event.target instanceof Element && event.target.closest('button, input, form, a'))) return
    if (event.shiftKey || event.ctrlKey || event.metaKey || selection.ids.size > 0) toggle(file, event)
  }

  return (
    <>
      {!isPhone && <QueueHead {...queue} />}
      <ul ref={scroller} className={styles.scroller} aria-label="Pending files">
        <li className={styles.room} style={{ height: virtualizer.getTotalSize() }} aria-hidden />
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const file = files[index]
          return (
            file && (
              // biome-ignore lint/a11y/useKeyWithClickEvents: for keys there is the row's checkbox
              <li
                key={file.id}
                ref={virtualizer.measureElement}
                data-index={index}
                data-file={file.id}
                aria-setsize={files.length}
                aria-posinset={index + 1}
                aria-label={file.name}
                className={styles.row}
                data-selected={selection.ids.has(file.id) || undefined}
                inert={inHand.has(file.id)}
                onClick={event => click(file, event)}
                style={{ transform: `translateY(${start}px)` }}
              >
                <QueueRow
                  file={file}
                  files={files}
                  isForbidden={isForbidden(file)}
                  reason={reasons.get(file.id)}
                  hasStood={hasStood}
                  isSelected={selection.ids.has(file.id)}
                  onToggle={event => toggle(file, event)}
                  isRejecting={rejectedId === file.id}
                  onReject={isOpen => setRejectedId(isOpen ? file.id : null)}
                  onDecide={decision => decideOn(file, decision)}
                />
              </li>
            )
          )
        })}
      </ul>
    </>
  )
}

/** What selects all files or, while some are selected, the selection's bar. */
function QueueHead({ selection, listing, acts }: QueueSelection) {
  const allId = useId()
  return (
    <div className={styles.head}>
      {selection.ids.size > 0 ? (
        <SelectionStrip selection={selection} listing={listing} acts={acts} />
      ) : (
        <div className={styles.all}>
          {listing.total > 0 && (
            <>
              <Check id={allId} label="Select all" checked={false} onChange={selection.selectAll} />
              <label htmlFor={allId}>Select all</label>
            </>
          )}
        </div>
      )}
    </div>
  )
}

/** Milliseconds after a move in which the second half of a double click, or a late click, may hit the wrong row. */
const settling = 600

/** Returns a function that says whether the rows have kept their places for a while; rows added behind move none. */
function useStanding(files: readonly PendingFile[]): () => boolean {
  const places = useRef(new Map<number, number>())
  const movedAt = useRef(Number.NEGATIVE_INFINITY)
  useLayoutEffect(() => {
    const before = places.current
    places.current = new Map(files.map(({ id }, index) => [id, index]))
    if (files.some(({ id }, index) => (before.get(id) ?? index) !== index)) movedAt.current = performance.now()
  }, [files])
  return () => performance.now() - movedAt.current >= settling
}
