/** Selects several entries. */
import type { App } from './app.ts'
import { currentEntry } from './cursor.ts'
import { loadedEntries, rowId } from './listing.ts'
import { moveBy } from './navigation.ts'

/** Selects or deselects the entry under the cursor, and moves one row down. */
export function toggleSelected(app: App): void {
  const state = app.store.get()
  const entry = currentEntry(state)
  if (entry === undefined) return
  const selection = new Map(state.selection)
  if (!selection.delete(rowId(entry))) selection.set(rowId(entry), entry)
  app.store.set({ selection })
  moveBy(app, 1)
}

/** Selects every loaded entry; in a long folder these are only those around the cursor. */
export function selectAll(app: App): void {
  const { place } = app.store.get()
  app.store.set({ selection: new Map([...loadedEntries(place.listing)].map(([, entry]) => [rowId(entry), entry])) })
}

export const selectNone = (app: App): void => app.store.set({ selection: new Map(), message: undefined })
