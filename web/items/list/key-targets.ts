/** What keys act on, in every list: the selection, else the item that shows the focus ring, else nothing. */
import type { FileItem } from '../../../src/api/items.ts'
import { isPageBehind, isTyping } from '../../ui/keys.ts'
import { isTouch } from '../../ui/touch.ts'
import { isInHand } from '../acts/in-hand.ts'
import type { Listing } from './listing.ts'
import { chosenItems, type Selection } from './selection/use-selection.ts'

interface KeyTargets {
  /** The item whose row or card shows the focus ring; keys that select act on it. */
  ringed: FileItem | undefined
  /** The items that all other keys act on. */
  items: readonly FileItem[]
}

/** Whether the user sees the focus ring on an element: the styles draw it on `[data-index]:focus`, not after a touch. */
function showsRing(element: EventTarget | null): element is HTMLElement {
  if (isTouch() || !(element instanceof HTMLElement) || !element.matches('[data-index]')) return false
  const view = element.closest('[role="rowgroup"]')?.getBoundingClientRect()
  const { top, bottom } = element.getBoundingClientRect()
  return view !== undefined && bottom > view.top && top < view.bottom
}

/**
 * The focus itself decides, and not which item had it last: after a click beside the items none has it, and keys
 * must not act on what the user does not see marked.
 */
export function keyTargets(
  { target }: KeyboardEvent,
  { listing, selection }: { listing: Listing; selection: Selection },
): KeyTargets {
  const shown = showsRing(target) ? listing.items[Number(target.dataset.index)] : undefined
  const ringed = shown && isInHand(shown) ? undefined : shown
  // While the rest of the selection loads, what is selected so far is not what the user sees.
  return { ringed, items: selection.awaited === null ? chosenItems(selection, ringed) : [] }
}

/** Whether a key is meant for the list, and not for a field, a button, a menu, a dialog or the folder tree. */
export function isForList({ target, key, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || !(target instanceof HTMLElement) || isTyping(target) || isPageBehind()) return false
  const isPress = key === 'Enter' || key === ' '
  if (isPress && target.matches('button, a, input, [role="tab"]')) return false
  return target === document.body || target.closest('main') !== null
}
