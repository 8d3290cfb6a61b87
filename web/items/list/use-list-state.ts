/** The state of a list while it is on screen, shared by the list and the bars around it. */
import { useEffect } from 'react'
import { usePreviewed } from '../../lib/local/preview.ts'
import { type ItemActions, useItemActions } from '../actions/use-item-actions.tsx'
import type { Listing } from './listing.ts'
import { type Selection, useSelection } from './selection/use-selection.ts'
import { type ItemDrag, useItemDrag } from './use-item-drag.ts'
import { type RowFocus, useRowFocus } from './use-row-focus.ts'

export interface ListState {
  listing: Listing
  selection: Selection
  focus: RowFocus
  actions: ItemActions
  drag: ItemDrag
}

/** `startId` is the item that gets the keyboard focus first; null for none. */
export function useListState(listing: Listing, startId: number | null): ListState {
  const selection = useSelection(listing)
  const focus = useRowFocus(listing.items, startId)
  const { items, total, loadMore, isStuck } = listing
  const isMissing = focus.isAwaiting && items.length < total && !isStuck
  useEffect(() => {
    if (isMissing) loadMore()
  }, [isMissing, loadMore])
  const actions = useItemActions(listing.items, focus.leave, selection.forget)
  const drag = useItemDrag(actions)
  usePreviewed(listing)
  return { listing, selection, focus, actions, drag }
}
