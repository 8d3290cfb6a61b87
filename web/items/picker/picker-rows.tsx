/** The picker's folders as windowed rows; arrow keys move between them. */
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import { useStable } from '../../ui/use-stable.ts'
import styles from './picker-list.module.css'
import { PickerRow, pickerRowHeight } from './picker-row.tsx'

interface PickerRowsProps {
  /** At least one. */
  folders: readonly FileItem[]
  startAt: number | null
  onEnter: (folder: FileItem) => void
  onNearEnd: () => void
}

/** Whether the focused element has been removed. */
export const isFocusLost = (): boolean => document.activeElement === document.body

const pageStep = 6
/** The number of rows that fit into the list. */
const shownRows = 7
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: pageStep, PageUp: -pageStep }

function destinationOf(key: string, from: number, last: number): number | null {
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = steps[key]
  return step === undefined ? null : Math.min(last, Math.max(0, from + step))
}

export function PickerRows({ folders, startAt, onEnter, onNearEnd }: PickerRowsProps) {
  const isPhone = usePhone()
  const scroller = useRef<HTMLDivElement>(null)
  const [activeId, setActiveId] = useState(startAt ?? folders[0]?.id)
  const isMoving = useRef<'at first' | 'by key' | null>('at first')
  const active = Math.max(
    0,
    folders.findIndex(({ id }) => id === activeId),
  )
  const rowHeight = pickerRowHeight(isPhone)
  const on = useStable({ onFocus: setActiveId, onEnter })
  const { rows, height, scrollTo } = useRowWindow({
    count: folders.length,
    rowHeight,
    scroller,
    firstHeight: shownRows * rowHeight,
    keep: active,
    onNearEnd,
  })
  useEffect(() => {
    if (isMoving.current === null) return
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"]`)
    if (row === null || row === undefined) return
    const isWanted = isMoving.current === 'by key' || isFocusLost()
    isMoving.current = null
    scrollTo(active)
    if (isWanted) row.focus({ preventScroll: true })
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const to = destinationOf(event.key, active, folders.length - 1)
    const folder = folders[active]
    if (to !== null) {
      event.preventDefault()
      isMoving.current = 'by key'
      setActiveId(folders[to]?.id)
    } else if (event.key === 'ArrowRight' && folder) onEnter(folder)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows in it are the buttons
    <div ref={scroller} className={styles.scroller} onKeyDown={onKeyDown}>
      <div className={styles.rows} style={{ height }} role="list" aria-label="Folders">
        {rows.map(({ index, start }) => {
          const folder = folders[index]
          if (folder === undefined) return null
          const shared = { folder, index, start, isPhone, ...on }
          return <PickerRow key={folder.id} {...shared} count={folders.length} isActive={index === active} />
        })}
      </div>
    </div>
  )
}
