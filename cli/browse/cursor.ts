/** Moves the cursor through a place and keeps it in view. */
import { type Entry, entryAt, lengthOf, loadedEntries } from './listing.ts'
import type { Place } from './place.ts'
import type { State } from './state.ts'

/** Moves the cursor to a row that exists, and scrolls it into view. `extra` rows come before the list's own. */
export function moveTo(place: Place, index: number, rows: number, extra = 0): Place {
  const last = lengthOf(place.listing) + extra - 1
  const cursor = Math.max(0, Math.min(index, last))
  const lowest = Math.max(0, cursor - rows + 1)
  // Leave no empty rows at the bottom while there are entries above.
  const highest = Math.min(cursor, Math.max(0, last - rows + 1))
  return { ...place, cursor, top: Math.max(lowest, Math.min(place.top, highest)) }
}

/** Moves the cursor to the item with `focusId`, once that is loaded. */
export function focusLoaded(place: Place, rows: number, extra = 0): Place {
  if (place.focusId === undefined) return moveTo(place, place.cursor, rows, extra)
  for (const [index, entry] of loadedEntries(place.listing)) {
    if (entry.id === place.focusId) return moveTo({ ...place, focusId: undefined }, index + extra, rows, extra)
  }
  return moveTo({ ...place, focusId: undefined }, place.cursor, rows, extra)
}

/** Returns the entry under the cursor. */
export const currentEntry = ({ place }: State): Entry | undefined => entryAt(place.listing, place.cursor)

/**
 * Returns the entries that an action applies to: the previewed one, otherwise the selection, otherwise the one under
 * the cursor.
 */
export function chosenEntries(state: State): readonly Entry[] {
  if (state.mode.kind === 'preview') return [state.mode.entry]
  if (state.selection.size > 0) return [...state.selection.values()]
  const entry = currentEntry(state)
  return entry === undefined ? [] : [entry]
}
