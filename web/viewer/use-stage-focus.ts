/** Focuses the scrolling element of the stage, so that arrows, Space and Page Down scroll it at once. */
import { type RefObject, useEffect } from 'react'

/** Does not take the focus from a control of the viewer. `data-quiet` hides the focus ring until a key is used. */
export function useStageFocus(ref: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const now = document.activeElement
    const isFree = now === null || now === document.body || now.matches('[data-viewer], [data-viewer-stage]')
    const element = ref.current
    if (!isFree || element === null) return
    element.dataset.quiet = ''
    element.addEventListener('blur', () => delete element.dataset.quiet, { once: true })
    element.focus({ preventScroll: true })
  }, [ref])
}
