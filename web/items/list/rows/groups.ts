/** The headings of a list whose rows are grouped. */
import { useMemo } from 'react'
import type { FileItem } from '../../../../src/api/items.ts'

/** Pixels. */
export const groupHeight = 36

const none: ReadonlyMap<number, string> = new Map()

/** The heading above each row that begins a group, by the row's index. */
function findHeads(items: readonly FileItem[], groupOf: (item: FileItem) => string): ReadonlyMap<number, string> {
  const heads = new Map<number, string>()
  let last: string | undefined
  for (const [index, item] of items.entries()) {
    const group = groupOf(item)
    if (group !== last) heads.set(index, group)
    last = group
  }
  return heads
}

/** The headings, and the height of a row together with the heading above it. */
export function useGroups(
  items: readonly FileItem[],
  groupOf: ((item: FileItem) => string) | undefined,
  rowHeight: number,
) {
  const heads = useMemo(() => (groupOf === undefined ? none : findHeads(items, groupOf)), [items, groupOf])
  const height = useMemo(
    () => (heads.size === 0 ? rowHeight : (index: number) => rowHeight + (heads.has(index) ? groupHeight : 0)),
    [heads, rowHeight],
  )
  return { heads, height }
}
