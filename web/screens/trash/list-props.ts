/** The props of the trash's list, shared with its keyboard handling. */
import type { Listing } from '../../items/list/listing.ts'
import type { Selection } from '../../items/list/selection/use-selection.ts'
import type { RowFocus } from '../../items/list/use-row-focus.ts'
import type { TrashActions } from './use-trash-actions.tsx'

export interface TrashListProps {
  listing: Listing
  selection: Selection
  focus: RowFocus
  actions: TrashActions
}
