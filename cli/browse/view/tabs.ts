/** The views as tabs in the top line, as many as fit. */
import type { View } from '../place.ts'
import type { State } from '../state.ts'
import { offeredViews, viewTitles } from '../views.ts'

interface Tab {
  view: View
  text: string
}

/** The mark of tabs that do not fit, at either end, with its space. */
const markColumns = 2

const widthOf = (tabs: readonly Tab[]): number => tabs.reduce((sum, { text }) => sum + text.length, 0)

interface FittingTabs {
  tabs: readonly Tab[]
  /** Whether there are more before and after these. */
  before: boolean
  after: boolean
  /** The columns that they take. */
  columns: number
}

/** Returns the tabs that fit into so many columns. The one of the current view is always among them. */
export function fitTabs(state: State, columns: number): FittingTabs {
  const names = offeredViews(state).map((view, index) => ({ view, text: ` ${index + 1} ${viewTitles[view]}` }))
  const wide = names.map(({ view, text }) => ({ view, text: `${text} ` }))
  for (const tabs of [wide, names]) {
    if (widthOf(tabs) < columns) return { tabs, before: false, after: false, columns: widthOf(tabs) }
  }
  const all = wide
  const room = columns - 2 * markColumns
  const current = Math.max(
    0,
    all.findIndex(({ view }) => view === state.tab),
  )
  let first = 0
  while (first < current && widthOf(all.slice(first, current + 1)) > room) first += 1
  let end = current + 1
  while (end < all.length && widthOf(all.slice(first, end + 1)) <= room) end += 1
  const tabs = all.slice(first, end)
  const [before, after] = [first > 0, end < all.length]
  return { tabs, before, after, columns: widthOf(tabs) + markColumns * (Number(before) + Number(after)) }
}
