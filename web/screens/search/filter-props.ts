/** What each filter of a search is told. */
import type { SearchFilters, SearchParams } from '../../lib/data/search.ts'

export interface FilterProps {
  params: SearchParams
  onFilter: (change: SearchFilters) => void
}
