/** The headings of a list or grid whose items are grouped. */
import { useMemo } from 'react'
import type { FileItem } from '../../../src/api/items.ts'

/** The heading above each item that begins a group, by the item's index. */
export type Heads = ReadonlyMap<number, string>

/** Pixels. */
export const headHeight = 36

const none: Heads = new Map()

function findHeads(items: readonly FileItem[], groupOf: (item: FileItem) => string): Heads {
  const heads = new Map<number, string>()
  let last: string | undefined
  for (const [index, item] of items.entries()) {
    const group = groupOf(item)
    if (group !== last) heads.set(index, group)
    last = group
  }
  return heads
}

/** The headings of items; none without `groupOf`. */
export const useHeads = (items: readonly FileItem[], groupOf: ((item: FileItem) => string) | undefined): Heads =>
  useMemo(() => (groupOf === undefined ? none : findHeads(items, groupOf)), [items, groupOf])

/** The indices at which groups begin; undefined for items that are not grouped. */
export const startsOf = (heads: Heads): number[] | undefined => (heads.size === 0 ? undefined : [...heads.keys()])
