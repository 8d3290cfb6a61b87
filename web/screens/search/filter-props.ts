/** The props of a search filter. */
import type { SearchFilters, SearchParams } from '../../lib/data/search.ts'

export interface FilterProps {
  params: SearchParams
  onFilter: (change: SearchFilters) => void
}
