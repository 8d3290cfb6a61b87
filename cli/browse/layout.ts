/** How the screen is shared out; the same figures decide how far the list scrolls. */
import type { State } from './state.ts'

/** The smallest terminal that everything has its place in. */
export const minColumns = 60
export const minRows = 12

/** Columns from which list and preview stand side by side. */
const wideColumns = 110

export const isTooSmall = ({ columns, rows }: Pick<State, 'columns' | 'rows'>): boolean =>
  columns < minColumns || rows < minRows

/** Lines between the header and the footer. */
export const bodyRows = ({ rows, transfers }: State): number => rows - 5 - (transfers.length > 0 ? 1 : 0)

/** Entries in view: the body without the heads of the columns. */
export const listRows = (state: State): number => Math.max(1, bodyRows(state) - 1)

/** Entries in view of a dialog's list, under its title and above its hint. */
export const dialogRows = (state: State): number => Math.max(1, bodyRows(state) - 3)

/** Columns of the preview, which has the whole screen where that is narrow. */
export const previewColumns = ({ columns }: State): number =>
  columns < wideColumns ? columns : Math.floor(columns / 2)

/** Lines of the preview under its title. */
export const previewRows = (state: State): number => Math.max(1, bodyRows(state) - 1)
