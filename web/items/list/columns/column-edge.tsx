/** The edge of a column, which is dragged to make the column wider or narrower; a chunk of its own. */
import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { maxColumnWidth, minColumnWidth } from '../../../../src/api/limits.ts'
import type { WideColumn } from '../../../../src/api/preferences.ts'
import { prefer, usePreferences } from '../../../lib/local/preferences.ts'
import styles from './column-edge.module.css'
import { columnLabels, leastNameWidth, showTracks } from './columns.ts'

/** Pixels that an arrow key moves the edge, and with Shift. */
const steps = { plain: 8, shift: 32 }

/** Saves a width; undefined is the usual one. */
function saveWidth(column: WideColumn, width: number | undefined): void {
  const { [column]: _, ...others } = usePreferences.getState().column_widths
  prefer({ column_widths: width === undefined ? others : { ...others, [column]: width } })
}

/** A column's width within its bounds. What it gains is taken from the names, which keep some. */
function bounded(edge: HTMLElement, old: number, width: number): number {
  const names = edge.closest('[role="row"]')?.querySelector('[data-column="name"]')?.clientWidth ?? 0
  const own = edge.parentElement?.offsetWidth ?? old
  const most = Math.max(minColumnWidth, Math.min(maxColumnWidth, own + names - leastNameWidth))
  return Math.round(Math.max(minColumnWidth, Math.min(width, most)))
}

interface ColumnEdgeProps {
  column: WideColumn
  /** The widths of all columns, and the place of this one among them. */
  widths: readonly number[]
  index: number
}

export function ColumnEdge({ column, widths, index }: ColumnEdgeProps) {
  const width = widths[index] ?? 0
  /** While the edge is dragged: the pointer's start and the width so far. */
  const drag = useRef<{ x: number; width: number } | null>(null)
  /** Shows a width without rendering: a property of the list changes its head and all rows. */
  const show = (edge: HTMLElement, shown: number) => {
    const list = edge.closest<HTMLElement>('[data-list]')
    if (list !== null)
      showTracks(
        list,
        widths.map((one, at) => (at === index ? shown : one)),
      )
  }
  const start = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, width }
  }
  // The edge is at the column's left: a move to the left makes the column wider.
  const move = ({ clientX, currentTarget }: PointerEvent<HTMLElement>) => {
    if (drag.current === null) return
    drag.current.width = bounded(currentTarget, width, width + drag.current.x - clientX)
    show(currentTarget, drag.current.width)
  }
  const end = () => {
    if (drag.current !== null && drag.current.width !== width) saveWidth(column, drag.current.width)
    drag.current = null
  }
  const cancel = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    drag.current = null
    show(currentTarget, width)
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const { key, shiftKey, currentTarget } = event
    const step = shiftKey ? steps.shift : steps.plain
    if (key === 'ArrowLeft') saveWidth(column, bounded(currentTarget, width, width + step))
    else if (key === 'ArrowRight') saveWidth(column, bounded(currentTarget, width, width - step))
    else if (key === 'Enter') saveWidth(column, undefined)
    else if (key === 'Escape' && drag.current !== null) cancel(event)
    else return
    // The list would move its focus by the same keys.
    event.preventDefault()
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${columnLabels[column]}`}
      aria-valuemin={minColumnWidth}
      aria-valuemax={maxColumnWidth}
      aria-valuenow={width}
      tabIndex={0}
      title="Drag to change the width. A double click brings back the usual one."
      className={styles.edge}
      onPointerDown={start}
      onPointerMove={move}
      onPointerUp={end}
      onPointerCancel={cancel}
      onDoubleClick={() => saveWidth(column, undefined)}
      onKeyDown={press}
    />
  )
}
