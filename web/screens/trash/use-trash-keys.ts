/** The keyboard shortcuts of the trash. */
import { useWindowEvent } from '@mantine/hooks'
import { destinationOf } from '../../items/list/grid/grid-geometry.ts'
import { isForList, keyTargets } from '../../items/list/key-targets.ts'
import { endTouch } from '../../ui/touch.ts'
import type { TrashListProps } from './list-props.ts'

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
    endTouch()
  })
}

/** Whether the key was handled. */
function runKey(event: KeyboardEvent, props: TrashListProps): boolean {
  const { selection, actions } = props
  const key = event.key.toLowerCase()
  const withControl = event.ctrlKey || event.metaKey
  const { ringed, items } = keyTargets(event, props)
  const isPlain = items.length > 0 && !withControl && !event.altKey
  const [first] = items
  if (key === 'a' && withControl) selection.selectAll()
  else if (key === 'escape' && (selection.ids.size > 0 || selection.awaited !== null)) selection.clear()
  else if (key === ' ' && ringed) selection.toggle(ringed.id)
  else if (key === 'r' && isPlain && actions.mayRestore) actions.restore(items)
  else if (key === 'delete' && isPlain && actions.mayRemove) actions.remove(items)
  else if (key === 'f' && isPlain && first && items.length === 1) actions.openFolder(first)
  else return false
  return true
}
