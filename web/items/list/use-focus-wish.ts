/** Gives the focus to the row that is wished for. */
import { type RefObject, useEffect, useRef } from 'react'

/** It is granted once the row is rendered: a list just begun renders its rows late. */
export function useFocusWish(
  scroller: RefObject<HTMLElement | null>,
  wish: { index: number } | null,
  scrollTo: (index: number) => void,
): void {
  const granted = useRef<object>(null)
  const scrolled = useRef<object>(null)
  useEffect(() => {
    if (wish === null || granted.current === wish) return
    if (scrolled.current !== wish) scrollTo(wish.index)
    scrolled.current = wish
    const row = scroller.current?.querySelector<HTMLElement>(`[data-index="${wish.index}"]`)
    if (row === null || row === undefined) return
    granted.current = wish
    // A name that is being changed keeps the focus.
    if (!row.contains(document.activeElement)) row.focus({ preventScroll: true })
  })
}
