/** Clears every filter. */
import type { SearchFilters } from '../../lib/data/search.ts'

export const noFilters: Record<keyof SearchFilters, undefined> = {
  mime_type: undefined,
  min_size: undefined,
  max_size: undefined,
  date_from: undefined,
  date_to: undefined,
  tag_id: undefined,
  status: undefined,
  meta: undefined,
}
