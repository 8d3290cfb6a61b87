/** The keyboard shortcuts of the viewer and of its content. */
import { useWindowEvent } from '@mantine/hooks'

/** Elements that handle letters, arrows and Space themselves. */
const ownKeys = 'input, textarea, select, video, audio, [role="menu"]'

/** Whether a key is meant for the viewer: not when typed into a field, or into a dialog above it. */
function isForViewer({ target, key, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || !(target instanceof Element)) return false
  if (target === document.body) return true
  if (target.closest('[data-viewer]') === null) return false
  if (key === 'Escape') return target.closest('[role="menu"]') === null
  return target.closest(ownKeys) === null && !(key === ' ' && target.closest('button, a') !== null)
}

/**
 * Runs the function under a key's name (`KeyboardEvent.key`) when it is pressed alone or with Shift. A letter's name is
 * its small form.
 */
export function useViewerKeys(keys: Record<string, ((event: KeyboardEvent) => void) | undefined>): void {
  useWindowEvent('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || !isForViewer(event)) return
    const run = keys[event.key] ?? keys[event.key.toLowerCase()]
    if (run === undefined) return
    event.preventDefault()
    run(event)
  })
}
