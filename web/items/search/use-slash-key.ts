/** The key of the search. */
import { useWindowEvent } from '@mantine/hooks'
import { isPageBehind, isTyping } from '../../ui/keys.ts'

/** Calls `act` on `/`, outside of fields and dialogs. Some keyboards type it with Shift, so only the character counts. */
export function useSlashKey(act: () => void, isOn = true): void {
  useWindowEvent('keydown', event => {
    const { key, target, defaultPrevented, ctrlKey, metaKey, altKey } = event
    if (!isOn || key !== '/' || defaultPrevented || ctrlKey || metaKey || altKey) return
    if (isTyping(target) || isPageBehind()) return
    event.preventDefault()
    act()
  })
}
