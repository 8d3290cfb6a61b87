/** Keeps a floating element beside its anchor. */
import { type RefObject, useLayoutEffect } from 'react'
import type { MenuPlace } from './menu-props.ts'

/** Pixels between it and its anchor. */
const gap = 4
/** Pixels kept free at each window edge; the style sheet subtracts them from the maximum size. */
const margin = 5

/** `edge` is the one of the anchor at which it begins, where there is room: by default the end, of a point the start. */
export function useBeside(floating: RefObject<HTMLElement | null>, place: MenuPlace, edge?: 'start'): void {
  useLayoutEffect(() => {
    const element = floating.current
    if (element === null) return
    const settle = () => putBeside(element, place, edge === 'start' || place.width === 0)
    settle()
    window.addEventListener('resize', settle)
    return () => window.removeEventListener('resize', settle)
  }, [floating, place, edge])
}

/**
 * Opens below its anchor, aligned with its left or right edge. Without room it flips to the other side; without room above
 * and below, it opens beside the anchor.
 */
function putBeside(floating: HTMLElement, { x, y, width, height }: MenuPlace, atStart: boolean): void {
  Object.assign(floating.style, { left: '0', top: '0' })
  // In older browsers `fixed` may be relative to a container, so measure its own origin.
  const own = floating.getBoundingClientRect()
  const [room, depth] = [window.innerWidth - margin, window.innerHeight - margin]
  const [below, above] = [y + height + gap, y - gap - own.height]
  const isAbove = below + own.height > depth && above >= margin
  const isAtSide = below + own.height > depth && above < margin
  const fromStart = isAtSide ? x + width + gap : x
  const fromEnd = (isAtSide ? x - gap : x + width) - own.width
  const isFromStart = fromEnd < margin || (atStart && fromStart + own.width <= room)
  const left = Math.max(margin, Math.min(isFromStart ? fromStart : fromEnd, room - own.width))
  const top = Math.max(margin, Math.min(isAbove ? above : below, depth - own.height))
  Object.assign(floating.style, { left: `${left - own.left}px`, top: `${top - own.top}px` })
}
