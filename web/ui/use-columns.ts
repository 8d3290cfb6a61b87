/** How many columns of equal width fit into an element, and their width. */
import { type RefObject, useLayoutEffect, useState } from 'react'

interface Columns {
  /** 0 until the element is measured. */
  count: number
  /** Pixels. */
  width: number
}

/** `least` and `gap` are pixels. The element's padding does not count. */
export function useColumns(ref: RefObject<HTMLElement | null>, least: number, gap: number): Columns {
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const element = ref.current
    if (element === null) return
    const measure = () => {
      const { paddingInlineStart, paddingInlineEnd } = getComputedStyle(element)
      setRoom(element.clientWidth - Number.parseFloat(paddingInlineStart) - Number.parseFloat(paddingInlineEnd))
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  if (room <= 0) return { count: 0, width: 0 }
  const count = Math.max(1, Math.floor((room + gap) / (least + gap)))
  return { count, width: (room - gap * (count - 1)) / count }
}
