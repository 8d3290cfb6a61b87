/** Moves the focus when the focused item is about to leave its list. */
import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Returns a function to call with an item that is removed. Once it is gone, the next item or, at the end, the previous
 * one gets the focus, on the control marked `data-next` in the element whose `data-file` is the item's id. `onLast` is
 * called when no item is left.
 */
export function useFocusHeir<Item extends { id: number }>(
  list: RefObject<HTMLElement | null>,
  items: readonly Item[],
  onLast?: () => void,
): (going: Item) => void {
  const wanted = useRef<{ from: number; to: number | undefined } | null>(null)
  useLayoutEffect(() => {
    if (wanted.current === null || items.some(({ id }) => id === wanted.current?.from)) return
    const { to } = wanted.current
    wanted.current = null
    list.current?.querySelector<HTMLElement>(`[data-file="${to}"] [data-next]`)?.focus()
  })
  return going => {
    const index = items.findIndex(({ id }) => id === going.id)
    const to = items[index + 1]?.id ?? items[index - 1]?.id
    wanted.current = { from: going.id, to }
    if (to === undefined) onLast?.()
  }
}
