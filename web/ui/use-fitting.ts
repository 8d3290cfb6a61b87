/** How many links of a row fit; the rest go elsewhere, such as into a menu. */
import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Counts from the start. `reserve` is the least width, in pixels, of the button that leads to the rest; once it is in
 * the row, it is measured. Links that do not fit must stay in the row, hidden and out of the flow, to be measured.
 */
export function useFitting(row: RefObject<HTMLElement | null>, total: number, gap: number, reserve: number): number {
  const [fitting, setFitting] = useState(total)
  const hasRest = fitting < total
  useLayoutEffect(() => {
    const element = row.current
    if (element === null) return
    const links = [...element.querySelectorAll<HTMLElement>(':scope > a')].slice(0, total)
    const button = hasRest ? element.querySelector<HTMLElement>(':scope > button') : null
    const measure = () => {
      const kept = Math.max(reserve, button?.offsetWidth ?? 0)
      const ends: number[] = []
      for (const link of links) ends.push((ends.at(-1) ?? -gap) + gap + link.offsetWidth)
      const room = element.clientWidth
      const isEnough = (ends.at(-1) ?? 0) <= room
      setFitting(isEnough ? total : ends.filter(end => end + gap + kept <= room).length)
    }
    const observer = new ResizeObserver(measure)
    for (const part of [element, ...links, button]) if (part !== null) observer.observe(part)
    measure()
    return () => observer.disconnect()
  }, [row, total, gap, reserve, hasRest])
  return fitting
}
