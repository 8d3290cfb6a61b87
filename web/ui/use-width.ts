/** The inner width of an element in pixels; 0 before it is measured. */
import { type RefObject, useLayoutEffect, useState } from 'react'

export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const box = element.current
    if (box === null) return
    const measure = () => setWidth(box.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(box)
    return () => observer.disconnect()
  }, [element])
  return width
}
