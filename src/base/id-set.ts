/** Sets of many ids in little memory. */

const pageBytes = 1024
const pageBits = pageBytes * 8

/** A set of ids: one bit for each, in pages, because ids are given one after the other. A million takes 125 KB. */
export function openIdSet() {
  const pages = new Map<number, Uint8Array>()
  const has = (id: number): boolean => {
    const bit = id % pageBits
    return ((pages.get(Math.floor(id / pageBits))?.[bit >> 3] ?? 0) & (1 << (bit & 7))) !== 0
  }
  return {
    has,
    add(id: number): void {
      const [number, bit] = [Math.floor(id / pageBits), id % pageBits]
      const page = pages.get(number) ?? new Uint8Array(pageBytes)
      page[bit >> 3] = (page[bit >> 3] ?? 0) | (1 << (bit & 7))
      pages.set(number, page)
    },
    /** All ids, in order within each page. */
    *ids(): Generator<number> {
      for (const number of pages.keys()) {
        for (let id = number * pageBits; id < (number + 1) * pageBits; id++) if (has(id)) yield id
      }
    },
  }
}

export type IdSet = ReturnType<typeof openIdSet>
