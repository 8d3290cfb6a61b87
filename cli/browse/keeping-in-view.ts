/** Keeps cursors and scrolled texts in view when their space changes. */
import type { App } from './app.ts'
import { moveTo } from './cursor.ts'
import { scrollHelp } from './help-text.ts'
import { dialogRows, listRows } from './layout.ts'
import type { Place } from './place.ts'
import { scrollPreview } from './preview.ts'

const isMoved = (one: Place, other: Place): boolean => one.top !== other.top || one.cursor !== other.cursor

/**
 * Scrolls the cursors into view. Called after every change, because the line for transfers takes a row from the list.
 */
export function keepCursorsInView(app: App): void {
  const state = app.store.get()
  const { place, mode } = state
  const fitted = moveTo(place, place.cursor, listRows(state))
  if (isMoved(place, fitted)) app.store.set({ place: fitted })
  if (mode.kind !== 'picker') return
  const inPicker = moveTo(mode.place, mode.place.cursor, dialogRows(state), 1)
  if (isMoved(mode.place, inPicker)) app.store.set({ mode: { ...mode, place: inPicker } })
}

/** Reads the terminal's size, and scrolls texts that would now end above the bottom. */
export function fitToTerminal(app: App): void {
  const { columns, rows } = process.stdout
  app.store.set({ columns, rows })
  scrollHelp(app, 0)
  scrollPreview(app, 0)
}
