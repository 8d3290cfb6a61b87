/** Keeps cursors and scrolled texts in view when the room for them changes. */
import type { App } from './app.ts'
import { moveTo } from './cursor.ts'
import { scrollHelp } from './help-text.ts'
import { dialogRows, listRows } from './layout.ts'
import { scrollPreview } from './preview.ts'
import type { Place } from './state.ts'

const isMoved = (one: Place, other: Place): boolean => one.top !== other.top || one.cursor !== other.cursor

/** Called after every change: a line for transfers takes one from the list. */
export function keepCursorsInView(app: App): void {
  const state = app.store.get()
  const { place, mode } = state
  const fitted = moveTo(place, place.cursor, listRows(state))
  if (isMoved(place, fitted)) app.store.set({ place: fitted })
  if (mode.kind !== 'picker') return
  const inPicker = moveTo(mode.place, mode.place.cursor, dialogRows(state), 1)
  if (isMoved(mode.place, inPicker)) app.store.set({ mode: { ...mode, place: inPicker } })
}

/** Takes the terminal's size, and scrolls what would now end too early. */
export function fitToTerminal(app: App): void {
  const { columns, rows } = process.stdout
  app.store.set({ columns, rows })
  scrollHelp(app, 0)
  scrollPreview(app, 0)
}
