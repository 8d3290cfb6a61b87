/** Sorts the hits of a search: folders first, as in a folder. */
import type { SortKey, SortOrder } from '../../api/files.ts'
import type { ItemRow } from '../item-row.ts'

type Value = string | number

const values: Record<SortKey, (row: ItemRow) => Value> = {
  name: row => row.sort_key,
  date: row => row.updated_at,
  size: row => row.size,
  type: row => row.mime_type ?? '',
}

const compare = (a: Value, b: Value): number => (a < b ? -1 : a > b ? 1 : 0)

/** Equal ones are sorted by name, then by id. */
export function sortHits(rows: readonly ItemRow[], sort: SortKey, order: SortOrder): ItemRow[] {
  const keyOf = values[sort]
  const sign = order === 'asc' ? 1 : -1
  return [...rows].sort(
    (a, b) =>
      b.is_directory - a.is_directory ||
      sign * compare(keyOf(a), keyOf(b)) ||
      compare(a.sort_key, b.sort_key) ||
      a.id - b.id,
  )
}
