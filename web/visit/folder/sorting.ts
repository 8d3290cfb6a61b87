/** The order of the list. */
import type { SortKey, SortOrder } from '../../../src/api/files.ts'

export interface Sorting {
  sort: SortKey
  order: SortOrder
}

export const sortLabels: Record<SortKey, string> = { name: 'Name', type: 'Type', size: 'Size', date: 'Date' }

/** The order after a click on a key: the current one is reversed. */
export const sortedBy = (key: SortKey, { sort, order }: Sorting): Sorting => ({
  sort: key,
  order: key === sort && order === 'asc' ? 'desc' : 'asc',
})
