/** The keyboard of the list: arrows move, Space selects, Enter opens, Backspace goes up. */
import { useWindowEvent } from '@mantine/hooks'
import type { RefObject } from 'react'
import type { VisitorItem } from '../../../src/api/visits.ts'
import { destinationOf, type Shape } from '../../items/list/grid/grid-geometry.ts'
import { endTouch } from '../../ui/touch.ts'
import type { Selection } from './use-selection.ts'

interface Keys {
  items: readonly VisitorItem[]
  shape: Shape
  /** The item that Tab reaches. */
  active: number
  selection: Selection
  reveal: RefObject<((index: number) => void) | null>
  focusAt: (index: number) => void
  open: (item: VisitorItem) => void
  /** Undefined in the folder of the link. */
  goUp: (() => void) | undefined
}

/** Whether a key is for the list: the focus is on it, or nowhere, and nothing lies over it. */
function isForList({ target, altKey, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || altKey || document.querySelector('[data-viewer]') !== null) return false
  return target === document.body || (target instanceof Element && target.closest('[role="grid"]') !== null)
}

/** The index of the row or card that has the focus itself; null when something within it has it, or nothing. */
function focusedIndex({ target }: KeyboardEvent): number | null {
  const index = target instanceof HTMLElement ? target.dataset.index : undefined
  return index === undefined ? null : Number(index)
}

export function useKeys(keys: Keys): void {
  useWindowEvent('keydown', event => {
    if (!isForList(event)) return
    const isPlain = !event.ctrlKey && !event.metaKey
    const to = isPlain ? destinationOf(event.key, keys.active, keys.shape) : null
    // The first arrow leads into the list.
    if (to !== null) move(event, event.target === document.body ? keys.active : to, keys)
    else if (run(event, keys)) event.preventDefault()
    endTouch()
  })
}

function move(event: KeyboardEvent, to: number, { selection, active, reveal, focusAt }: Keys): void {
  event.preventDefault()
  if (event.shiftKey) {
    if (selection.ids.size === 0) selection.startAt(active)
    selection.toggle(to, true)
  }
  focusAt(to)
  reveal.current?.(to)
}

function run(event: KeyboardEvent, { items, selection, open, goUp }: Keys): boolean {
  const { key, ctrlKey, metaKey } = event
  if (key === 'a' && (ctrlKey || metaKey)) return act(selection.selectAll)
  if (ctrlKey || metaKey) return false
  if (key === 'Escape' && selection.ids.size > 0) return act(selection.clear)
  if (key === 'Backspace') return act(goUp)
  const index = focusedIndex(event)
  const item = index === null ? undefined : items[index]
  if (index === null || item === undefined) return false
  if (key === ' ') return act(() => selection.toggle(index, event.shiftKey))
  return key === 'Enter' && act(() => open(item))
}

function act(work: (() => void) | undefined): boolean {
  work?.()
  return work !== undefined
}
