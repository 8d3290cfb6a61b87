/** A search as the address states it. */
import { type SortKey, type SortOrder, sortKeys } from '../../../src/api/files.ts'
import { isSearchable } from '../../../src/api/search-text.ts'

const statuses = ['approved', 'pending', 'rejected'] as const

export interface SearchFilters {
  /** A whole type, or a prefix that ends with a slash. */
  mime_type?: string
  /** Bytes, inclusive. */
  min_size?: number
  max_size?: number
  /** Days as `YYYY-MM-DD`, UTC, inclusive. */
  date_from?: string
  date_to?: string
  tag_id?: number
  status?: (typeof statuses)[number]
  /** `<field name>:<value>`. */
  meta?: string
}

/** Without `sort` the newest items come first. */
export interface SearchOrder {
  sort?: SortKey
  order?: SortOrder
}

export interface SearchParams extends SearchFilters, SearchOrder {
  q: string
  /** The folder that is searched with all below it; absent for everything. */
  in?: number
}

const readText = (value: unknown): string | undefined =>
  value === undefined || value === '' ? undefined : String(value)

const readMatch = (value: unknown, pattern: RegExp): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined

function readNumber(value: unknown): number | undefined {
  const number = value === '' ? Number.NaN : Number(value)
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** Drops invalid filters, so that a damaged link still searches. */
export const readSearch = (search: Record<string, unknown>): SearchParams => ({
  // The router parses a query of digits as a number.
  q: readText(search.q) ?? '',
  in: readNumber(search.in) || undefined,
  mime_type: readMatch(search.mime_type, /^[\w.+-]+\/[\w.+-]*$/),
  min_size: readNumber(search.min_size),
  max_size: readNumber(search.max_size),
  date_from: readMatch(search.date_from, /^\d{4}-\d\d-\d\d$/),
  date_to: readMatch(search.date_to, /^\d{4}-\d\d-\d\d$/),
  tag_id: readNumber(search.tag_id) || undefined,
  status: statuses.find(status => status === search.status),
  meta: readMatch(search.meta, /^[^:]+:./s),
  sort: sortKeys.find(sort => sort === search.sort),
  order: search.order === 'desc' ? 'desc' : undefined,
})

/** Whether a search can be sent: its text is long enough, or there is none and every file with a tag is meant. */
export const isAskable = ({ q, tag_id }: SearchParams): boolean =>
  isSearchable(q) || (q.trim() === '' && tag_id !== undefined)

/** How many filters are set. */
export const countFilters = ({ q: _, in: __, sort: _sort, order: _order, ...filters }: SearchParams): number =>
  Object.values(filters).filter(value => value !== undefined).length
