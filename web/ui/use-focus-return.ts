/** Returns the focus to the element that had it before an overlay opened. */
import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * To be called with whether the overlay is open. It also returns the focus of an overlay that is mounted open, as lazily
 * loaded ones are, or that is removed while open; Mantine does so in neither case. What has taken the focus outside of
 * overlays by then keeps it.
 */
export function useFocusReturn(opened: boolean): void {
  const before = useRef<Element>(null)
  useLayoutEffect(() => {
    if (opened) before.current = document.activeElement
  }, [opened])
  // React undoes what changes the focus while it updates the page, so this waits until it has.
  useEffect(() => {
    if (!opened) return
    return () => {
      const now = document.activeElement
      const isOver = now === null || now === document.body || now.closest('[role="dialog"]') !== null
      const to = before.current
      if (isOver && to instanceof HTMLElement && to.isConnected) to.focus({ preventScroll: true })
    }
  }, [opened])
}
