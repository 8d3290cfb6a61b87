/** Moves the cursor through a place and keeps it in view. */
import { type Entry, entryAt, lengthOf, loadedEntries } from './listing.ts'
import type { Place, State } from './state.ts'

/** The place with its cursor on a row that exists and in view; `extra` rows stand before the list's own. */
export function moveTo(place: Place, index: number, rows: number, extra = 0): Place {
  const last = lengthOf(place.listing) + extra - 1
  const cursor = Math.max(0, Math.min(index, last))
  const lowest = Math.max(0, cursor - rows + 1)
  // No empty rows at the bottom while there are entries above.
  const highest = Math.min(cursor, Math.max(0, last - rows + 1))
  return { ...place, cursor, top: Math.max(lowest, Math.min(place.top, highest)) }
}

/** The place with its cursor on the item that was waited for, once that is loaded. */
export function focusLoaded(place: Place, rows: number, extra = 0): Place {
  if (place.focusId === undefined) return moveTo(place, place.cursor, rows, extra)
  for (const [index, entry] of loadedEntries(place.listing)) {
    if (entry.id === place.focusId) return moveTo({ ...place, focusId: undefined }, index + extra, rows, extra)
  }
  return moveTo({ ...place, focusId: undefined }, place.cursor, rows, extra)
}

/** What the cursor stands on. */
export const currentEntry = ({ place }: State): Entry | undefined => entryAt(place.listing, place.cursor)

/** What an act is about: what is previewed, else all that is selected, else what the cursor stands on. */
export function chosenEntries(state: State): readonly Entry[] {
  if (state.mode.kind === 'preview') return [state.mode.entry]
  if (state.selection.size > 0) return [...state.selection.values()]
  const entry = currentEntry(state)
  return entry === undefined ? [] : [entry]
}
