/** Hands the focus on when the item that has it is about to go from its list. */
import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Gives back what is to be called with an item that goes: once it has gone, the one behind it or, at the end, the one
 * before it has the focus, on the control marked `data-next` in the element whose `data-file` is its id. `onLast` is
 * called where no other is left.
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
