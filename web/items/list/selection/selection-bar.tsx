/** The selection bar outside the trash, with its actions. */
import type { ItemActions } from '../../actions/use-item-actions.tsx'
import type { Listing } from '../listing.ts'
import { itemActs } from './selection-acts.ts'
import { SelectionStrip } from './selection-strip.tsx'
import type { Selection } from './use-selection.ts'

interface SelectionBarProps {
  listing: Listing
  selection: Selection
  actions: ItemActions
}

export function SelectionBar({ listing, selection, actions }: SelectionBarProps) {
  return <SelectionStrip listing={listing} selection={selection} acts={itemActs(actions, selection.items)} />
}
