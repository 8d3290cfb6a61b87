/** The keyboard shortcuts of the trash. */
import { useWindowEvent } from '@mantine/hooks'
import { destinationOf } from '../../items/list/grid/grid-geometry.ts'
import { itemsInHand } from '../../items/list/selection/use-selection.ts'
import type { TrashListProps } from './list-props.ts'

/** Whether a key is meant for the list, and not for a menu, a dialog or a button. */
function isForList({ target, defaultPrevented, key }: KeyboardEvent): boolean {
  if (defaultPrevented || !(target instanceof HTMLElement)) return false
  if (document.querySelector('[role="dialog"],[role="menu"]') !== null) return false
  const isPress = key === 'Enter' || key === ' '
  return (target === document.body || target.closest('main') !== null) && !(isPress && target.matches('button, input'))
}

export function useTrashKeys(props: TrashListProps): void {
  useWindowEvent('keydown', event => {
    if (!isForList(event)) return
    const { listing, focus, selection } = props
    const shape = { total: listing.items.length, folders: 0, columns: 1 }
    const to = destinationOf(event.key, focus.activeIndex, shape)
    if (to !== null) {
      if (event.shiftKey) selection.extendTo(to, focus.activeIndex)
      focus.focusAt(to)
    }
    if (to !== null || runKey(event, props)) event.preventDefault()
  })
}

/** Whether the key was handled. */
function runKey(event: KeyboardEvent, { listing, focus, selection, actions }: TrashListProps): boolean {
  const key = event.key.toLowerCase()
  const withControl = event.ctrlKey || event.metaKey
  const active = listing.items[focus.activeIndex]
  const targets = itemsInHand(selection, active)
  const mayAct = actions.mayDelete && targets.length > 0 && !withControl && !event.altKey
  if (key === 'a' && withControl) selection.selectAll()
  else if (key === 'escape' && (selection.ids.size > 0 || selection.awaited !== null)) selection.clear()
  else if (key === ' ' && active) selection.toggle(active.id)
  else if (key === 'r' && mayAct) actions.restore(targets)
  else if (key === 'delete' && mayAct) actions.remove(targets)
  else return false
  return true
}
