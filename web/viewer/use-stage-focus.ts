/** Gives the focus to what scrolls on the stage, so that arrows, Space and Page Down scroll it at once. */
import { type RefObject, useEffect } from 'react'

/** Nobody who is on a control of the viewer loses it. No ring is drawn (`data-quiet`) until the focus comes by a key. */
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
