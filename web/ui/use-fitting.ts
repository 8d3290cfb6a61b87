/** How many of a row's links have room; the others go where there is more of it. */
import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Counts from the front. `reserve` is the room, in pixels, for what leads to those that have none. The links that do
 * not fit must stay in the row, out of sight and out of its flow, to be measured.
 */
export function useFitting(row: RefObject<HTMLElement | null>, total: number, gap: number, reserve: number): number {
  const [fitting, setFitting] = useState(total)
  useLayoutEffect(() => {
    const element = row.current
    if (element === null) return
    const links = [...element.querySelectorAll<HTMLElement>(':scope > a')].slice(0, total)
    const measure = () => {
      const ends: number[] = []
      for (const link of links) ends.push((ends.at(-1) ?? -gap) + gap + link.offsetWidth)
      const room = element.clientWidth
      const isEnough = (ends.at(-1) ?? 0) <= room
      setFitting(isEnough ? total : ends.filter(end => end + gap + reserve <= room).length)
    }
    const observer = new ResizeObserver(measure)
    for (const part of [element, ...links]) observer.observe(part)
    measure()
    return () => observer.disconnect()
  }, [row, total, gap, reserve])
  return fitting
}
