/** The keyboard of the viewer and of what it shows. */
import { useWindowEvent } from '@mantine/hooks'

/** What needs letters, arrows and Space for itself. */
const ownKeys = 'input, textarea, select, video, audio, [role="menu"]'

/** Keys typed into a field, or into a dialog that lies above the viewer, are not the viewer's. */
function isForViewer({ target, key, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || !(target instanceof Element)) return false
  if (target === document.body) return true
  if (target.closest('[data-viewer]') === null) return false
  if (key === 'Escape') return target.closest('[role="menu"]') === null
  return target.closest(ownKeys) === null && !(key === ' ' && target.closest('button, a') !== null)
}

/** Runs what stands under a key's name (`KeyboardEvent.key`) when it is pressed alone or with Shift. */
export function useViewerKeys(keys: Record<string, (() => void) | undefined>): void {
  useWindowEvent('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isForViewer(event)) return
    const run = keys[event.key]
    if (run === undefined) return
    event.preventDefault()
    run()
  })
}
