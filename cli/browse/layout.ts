/** The layout of the screen. The same numbers decide how far the list scrolls. */
import type { State } from './state.ts'

/** The smallest terminal in which everything fits. */
export const minColumns = 60
export const minRows = 12

/** From this width on, list and preview are side by side. */
const wideColumns = 110

export const isTooSmall = ({ columns, rows }: Pick<State, 'columns' | 'rows'>): boolean =>
  columns < minColumns || rows < minRows

/** Lines between the header and the footer. */
export const bodyRows = ({ rows, transfers }: State): number => rows - 5 - (transfers.length > 0 ? 1 : 0)

/** Visible entries: the body without the column heads. */
export const listRows = (state: State): number => Math.max(1, bodyRows(state) - 1)

/** Visible entries of a dialog's list, between its title with the note, and its hint. */
export const dialogRows = (state: State): number => Math.max(1, bodyRows(state) - 3)

/** Columns of the preview, which takes the whole width of a narrow screen. */
export const previewColumns = ({ columns }: State): number =>
  columns < wideColumns ? columns : Math.floor(columns / 2)

/** Lines of the preview under its title. */
export const previewRows = (state: State): number => Math.max(1, bodyRows(state) - 1)
