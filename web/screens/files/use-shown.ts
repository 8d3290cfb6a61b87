/** Focuses the item that the address was opened for. */
import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { RowFocus } from '../../items/list/use-row-focus.ts'
import { endTouch } from '../../ui/touch.ts'

/** `isOfAddress` says whether the list is that of the folder in the address. */
export function useShown({ focusItem }: RowFocus, isOfAddress: boolean): void {
  const shown = useLocation({ select: ({ state }) => state.shown })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each request to show an item
  useEffect(() => {
    if (shown === undefined || !isOfAddress) return
    // The focus ring marks the item, also for a user who came by touch.
    endTouch()
    focusItem(shown.id)
  }, [shown?.time, isOfAddress])
}
