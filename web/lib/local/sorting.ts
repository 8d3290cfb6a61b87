/** The order of folders during this visit; one choice for all of them. */
import { create } from 'zustand'
import type { SortKey } from '../../../src/api/files.ts'
import type { Sorting } from '../data/folders.ts'
import { firstSorting } from '../server/first-calls.ts'

export const useSorting = create<Sorting>(() => firstSorting)

/** Sorts by another key, ascending; the current key reverses its order. */
export function sortBy(sort: SortKey): void {
  useSorting.setState(now => ({ sort, order: now.sort === sort && now.order === 'asc' ? 'desc' : 'asc' }))
}
