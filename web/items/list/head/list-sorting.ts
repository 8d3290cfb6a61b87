/** The order of a list and how its head changes it: that of all folders, unless the list has one of its own. */
import { createContext, useContext } from 'react'
import type { SortKey, SortOrder } from '../../../../src/api/files.ts'
import { sortBy, useSorting } from '../../../lib/local/sorting.ts'

interface ListSorting {
  /** Undefined for an order that no heading stands for. */
  sort: SortKey | undefined
  order: SortOrder
  sortBy: (sort: SortKey) => void
}

/** The list's own order; null where it is that of all folders. */
export const OwnSorting = createContext<ListSorting | null>(null)

export function useListSorting(): ListSorting {
  const common = useSorting()
  return useContext(OwnSorting) ?? { ...common, sortBy }
}
