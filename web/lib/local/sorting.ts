/** The order of folders; one choice for all of them. */
import type { SortKey } from '../../../src/api/files.ts'
import type { Sorting } from '../data/folders.ts'
import { prefer, usePreferences } from './preferences.ts'

export function useSorting(): Sorting {
  const sort = usePreferences(state => state.sort)
  const order = usePreferences(state => state.order)
  return { sort, order }
}

/** The order now, outside of components. */
export function sortingNow(): Sorting {
  const { sort, order } = usePreferences.getState()
  return { sort, order }
}

/** Sorts by another key, ascending; the current key reverses its order. */
export function sortBy(sort: SortKey): void {
  const now = sortingNow()
  prefer({ sort, order: now.sort === sort && now.order === 'asc' ? 'desc' : 'asc' })
}
