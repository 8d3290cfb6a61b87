/** Renders only those of many equally high rows that are in view. */
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual'
import { type RefObject, useEffect } from 'react'

interface RowWindowOptions {
  count: number
  /** Pixels. */
  rowHeight: number
  scroller: RefObject<HTMLElement | null>
  /** A row that stays rendered wherever the list is scrolled to, so that it cannot lose the focus. */
  keep?: number
  /** Called when the end of what is loaded comes near. */
  onNearEnd: () => void
}

interface RowWindow {
  rows: VirtualItem[]
  /** Pixels that all rows together take. */
  height: number
  scrollTo: (index: number) => void
}

const overscan = 12

export function useRowWindow({ count, rowHeight, scroller, keep, onNearEnd }: RowWindowOptions): RowWindow {
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan,
    rangeExtractor: ({ startIndex, endIndex }) => {
      const first = Math.max(0, startIndex - overscan)
      const last = Math.min(count - 1, endIndex + overscan)
      const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index)
      return keep === undefined || keep >= count || (keep >= first && keep <= last)
        ? shown
        : [...shown, keep].sort((a, b) => a - b)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured again only when their height changes
  useEffect(() => virtualizer.measure(), [rowHeight])
  const rows = virtualizer.getVirtualItems()
  const lastShown = virtualizer.range?.endIndex ?? 0
  useEffect(() => {
    if (count > 0 && lastShown + overscan >= count) onNearEnd()
  }, [count, lastShown, onNearEnd])
  return { rows, height: virtualizer.getTotalSize(), scrollTo: index => virtualizer.scrollToIndex(index) }
}
