/** Renders only those of many rows that are in view. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useEffect } from 'react'

interface RowWindowOptions {
  count: number
  /** Pixels: one height for all rows, or a function that stays the same as long as no row's height changes. */
  rowHeight: number | ((index: number) => number)
  scroller: RefObject<HTMLElement | null>
  /** How many rows are loaded, from the first; all, unless given. */
  loaded?: number
  /** Rows rendered, at least, on each side of what is in view. */
  overscan?: number
  /** Pixels that the list will be high; as high as the last one, unless given. */
  firstHeight?: number
  /** A row that stays rendered wherever the list is scrolled to, so that it cannot lose the focus. */
  keep?: number
  /** Called when the end of what is loaded comes near. */
  onNearEnd: () => void
}

interface ShownRow {
  index: number
  /** Pixels from the top of all rows. */
  start: number
}

interface RowWindow {
  rows: ShownRow[]
  /** Pixels that all rows together take. */
  height: number
  /** Scrolls no further than it takes to see the whole row. */
  scrollTo: (index: number) => void
  /** The same for an event: rows and all that has changed with them are drawn at once, instead of one after the other. */
  reveal: (index: number) => void
}

/** Rows before the end of what is loaded at which the next page is asked for. */
const nearEnd = 60
/** What a list has seen of its height is what the next one begins with, so that its rows are in its first picture. */
let lastHeight = 0
/** Equally high rows that are measured as one: 50,000 measures would take longer than all else in a first picture. */
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
    // Of the block that is kept for one row, no other row is needed.
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
    // The browser itself tells of it no sooner than with the next picture.
    if (scroller.current?.scrollTop !== top) scroller.current?.dispatchEvent(new Event('scroll'))
  }
  return { rows, height: virtualizer.getTotalSize(), scrollTo, reveal }
}

const isNear = (block: number, range: { startIndex: number; endIndex: number }, margin: number): boolean =>
  block >= range.startIndex - margin && block <= range.endIndex + margin
