/** Compares the sizes of files with those of their contents, in the rows of a backup. */
import type { Row } from '../../db/tables.ts'

/** The size of a content, as its own row or that of a file tells it. */
export type ToldSize = readonly [blobId: number, size: number]

/** What some rows tell; impossible values have findings of their own. */
export function toldSizesOf(table: string, rows: readonly Row[]): ToldSize[] {
  if (table !== 'files' && table !== 'blobs') return []
  const column = table === 'files' ? 'blob_id' : 'id'
  return rows.flatMap(row => {
    const [id, size] = [row[column], row.size]
    return Number.isSafeInteger(id) && Number.isSafeInteger(size) ? [[Number(id), Number(size)] as const] : []
  })
}

const pageLength = 1024
/** Contents named in the problem. */
const namedIds = 5

/**
 * Collects sizes in any order. Needs eight bytes for each content, in pages, because ids are given one after the other. A
 * million takes 8 MB.
 */
export function openSizeCheck() {
  const pages = new Map<number, Float64Array>()
  const wrong = new Set<number>()
  return {
    add(told: readonly ToldSize[]): void {
      for (const [id, size] of told) {
        const number = Math.floor(id / pageLength)
        const page = pages.get(number) ?? new Float64Array(pageLength).fill(Number.NaN)
        pages.set(number, page)
        const at = id - number * pageLength
        if (Number.isNaN(page[at])) page[at] = size
        else if (page[at] !== size) wrong.add(id)
      }
    },
    /** At most one sentence. */
    find(): string[] {
      if (wrong.size === 0) return []
      const first = [...wrong].slice(0, namedIds).join(', ')
      const rest = wrong.size > namedIds ? ` and ${wrong.size - namedIds} others` : ''
      return [`table files: rows with blob_id ${first}${rest}: their size is not that of their content`]
    },
  }
}
