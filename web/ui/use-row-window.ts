/** Windowing: renders only the rows in view. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect } from 'react'

interface RowWindowOptions {
  count: number
  /** Pixels: one height for all rows, or a function that must stay the same until a row's height changes. */
  rowHeight: number | ((index: number) => number)
  scroller: RefObject<HTMLElement | null>
  /** How many rows are loaded, from the first; default: all. */
  loaded?: number
  /** The minimum of rows rendered above and below the view. */
  overscan?: number
  /** The expected height of the list in pixels; default: that of the last list. */
  firstHeight?: number
  /** A row that stays rendered at any scroll position, so that it cannot lose the focus. */
  keep?: number
  /** Called when the end of the loaded rows is near. */
  onNearEnd: () => void
}

interface ShownRow {
  index: number
  /** Pixels from the top of the list. */
  start: number
}

interface RowWindow {
  rows: ShownRow[]
  /** The height of all rows, in pixels. */
  height: number
  /** Scrolls just far enough to show the whole row. */
  scrollTo: (index: number) => void
  /** The same during an event: renders the rows and all other changes at once instead of in two steps. */
  reveal: (index: number) => void
}

/** The next page is requested this many rows before the end of the loaded ones. */
const nearEnd = 60
/** The height of the last list. A new list starts with it, so that its first frame already shows rows. */
let lastHeight = 0
/** Equal rows are measured in blocks: 50,000 measurements would take longer than the rest of the first frame. */
const blockRows = 4

export function useRowWindow(options: RowWindowOptions): RowWindow {
  const { count, rowHeight, scroller, loaded = count, overscan = 4, firstHeight, keep, onNearEnd } = options
  const perBlock = typeof rowHeight === 'number' ? blockRows : 1
  const heightOf = (index: number) => (typeof rowHeight === 'number' ? rowHeight : rowHeight(index))
  const blockHeight = (block: number) => heightOf(block) * Math.min(perBlock, count - block * perBlock)
  const margin = Math.ceil(overscan / perBlock)
  const last = Math.ceil(count / perBlock) - 1
  const keptBlock = keep === undefined || keep >= count ? -1 : Math.floor(keep / perBlock)
  const virtualizer = useVirtualizer({
    count: last + 1,
    getScrollElement: () => scroller.current,
    estimateSize: blockHeight,
    overscan: margin,
    initialRect: { width: 0, height: firstHeight ?? lastHeight },
    rangeExtractor: ({ startIndex, endIndex }) => {
      const [from, to] = [Math.max(0, startIndex - margin), Math.min(last, endIndex + margin)]
      const shown = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index)
      if (keptBlock < 0 || (keptBlock >= from && keptBlock <= to)) return shown
      return keptBlock < from ? [keptBlock, ...shown] : [...shown, keptBlock]
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured again only when their height changes
  useEffect(() => virtualizer.measure(), [rowHeight, count % perBlock])
  if (firstHeight === undefined) lastHeight = virtualizer.scrollRect?.height || lastHeight
  const lastShown = Math.min(count, ((virtualizer.range?.endIndex ?? 0) + 1) * perBlock) - 1
  useEffect(() => {
    if (count > 0 && lastShown + nearEnd >= loaded) onNearEnd()
  }, [count, lastShown, loaded, onNearEnd])

  const rows = virtualizer.getVirtualItems().flatMap(({ index: block, start }) => {
    // In a block that is kept for one row, render only that row.
    const isKept = block === keptBlock && (virtualizer.range === null || !isNear(block, virtualizer.range, margin))
    const from = block * perBlock
    const length = Math.min(perBlock, count - from)
    const shown = Array.from({ length }, (_, offset) => ({
      index: from + offset,
      start: start + offset * heightOf(from),
    }))
    return isKept ? shown.filter(({ index }) => index === keep) : shown
  })
  const scrollTo = (index: number) => {
    const box = scroller.current
    const block = virtualizer.measurementsCache[Math.floor(index / perBlock)]
    if (box === null || block === undefined) return
    const start = block.start + (index % perBlock) * heightOf(index)
    const end = start + heightOf(index)
    if (start < box.scrollTop) virtualizer.scrollToOffset(start)
    else if (end > box.scrollTop + box.clientHeight) virtualizer.scrollToOffset(end - box.clientHeight)
  }
  const reveal = (index: number) => {
    const top = scroller.current?.scrollTop
    scrollTo(index)
    // The browser fires the event only with the next frame.
    if (scroller.current?.scrollTop !== top) scroller.current?.dispatchEvent(new Event('scroll'))
  }
  return { rows, height: virtualizer.getTotalSize(), scrollTo, reveal }
}

const isNear = (block: number, range: { startIndex: number; endIndex: number }, margin: number): boolean =>
  block >= range.startIndex - margin && block <= range.endIndex + margin
