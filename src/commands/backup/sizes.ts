/** Compares the sizes of files with those of their contents, in the rows of a backup. */
import type { Row } from '../../db/tables.ts'
import { nameIds } from './references.ts'

/** The sizes of contents as their own rows, or those of files, tell them: of `ids[n]` it is `sizes[n]`. */
export interface ToldSizes {
  ids: Float64Array
  sizes: Float64Array
}

/** What some rows tell, in 16 bytes for each; impossible values have findings of their own. */
export function toldSizesOf(table: string, rows: readonly Row[]): ToldSizes {
  const column = table === 'files' ? 'blob_id' : 'id'
  const told =
    table === 'files' || table === 'blobs'
      ? rows.filter(row => Number.isSafeInteger(row[column]) && Number.isSafeInteger(row.size))
      : []
  return {
    ids: Float64Array.from(told, row => Number(row[column])),
    sizes: Float64Array.from(told, row => Number(row.size)),
  }
}

const pageLength = 1024

/**
 * Collects sizes in any order. Needs eight bytes for each id of contents, in pages of 1,024, because ids are given one
 * after the other. A million takes 8 MB.
 */
export function openSizeCheck() {
  const pages = new Map<number, Float64Array>()
  const wrong = new Set<number>()
  return {
    add({ ids, sizes }: ToldSizes): void {
      for (const [index, id] of ids.entries()) {
        const number = Math.floor(id / pageLength)
        const page = pages.get(number) ?? new Float64Array(pageLength).fill(Number.NaN)
        pages.set(number, page)
        const at = id - number * pageLength
        const size = sizes[index] ?? Number.NaN
        if (Number.isNaN(page[at])) page[at] = size
        else if (page[at] !== size) wrong.add(id)
      }
    },
    /** At most one sentence. */
    find: (): string[] =>
      wrong.size === 0
        ? []
        : [`table files: rows with blob_id ${nameIds(wrong)}: their size is not that of their content`],
  }
}
