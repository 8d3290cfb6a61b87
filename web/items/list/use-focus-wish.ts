/** Moves the focus to the requested row. */
import { type RefObject, useEffect, useRef } from 'react'
import type { FocusWish } from './use-row-focus.ts'

/** Focuses the row once it is rendered, because a new list renders its rows late. */
export function useFocusWish(
  scroller: RefObject<HTMLElement | null>,
  wish: FocusWish | null,
  scrollTo: (index: number) => void,
): void {
  const granted = useRef<object>(null)
  const scrolled = useRef<object>(null)
  useEffect(() => {
    if (wish === null || granted.current === wish) return
    const now = document.activeElement
    const isElsewhere = now !== document.body && scroller.current?.contains(now) !== true
    if (wish.isSoft && isElsewhere) return
    if (scrolled.current !== wish) scrollTo(wish.index)
    scrolled.current = wish
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wish.index}"]`)
    if (row === null || row === undefined) return
    granted.current = wish
    // Do not take the focus from a rename field.
    if (!row.contains(document.activeElement)) row.focus({ preventScroll: true })
    // In a very low window the page scrolls too.
    row.scrollIntoView({ block: 'nearest' })
  })
}
