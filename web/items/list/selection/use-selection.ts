/** The selection of a list, and how clicks and keys change it. */
import { useEffect, useMemo, useState } from 'react'
import type { FileItem } from '../../../../src/api/items.ts'
import { useInHand } from '../../acts/in-hand.ts'
import type { Listing } from '../listing.ts'

export interface Selection<Item extends FileItem = FileItem> {
  ids: ReadonlySet<number>
  /** The selected items that are still listed, in list order. Those that an act has in hand return when it ends. */
  items: readonly Item[]
  /** How many items will be selected once all of them are loaded; null when nothing is pending. */
  awaited: number | null
  toggle: (id: number) => void
  /** Selects what a finger rests on: the row or card around an element. */
  press: (target: Element) => void
  /** Sets the start of the next range. */
  anchorAt: (id: number | null) => void
  /** Selects the range from its start, else from the index `start`, to another index. */
  extendTo: (index: number, start?: number) => void
  /** Selects all items, including those that are not loaded yet. */
  selectAll: () => void
  clear: () => void
  /** Deselects items that have left the list: those that Undo brings back would be selected as far as they are loaded. */
  forget: (gone: readonly FileItem[]) => void
}

interface State {
  ids: ReadonlySet<number>
  /** The selection before the last range. A range that shrinks returns to it. */
  base: ReadonlySet<number>
  /** The start of a range: the item last selected, focused or clicked. */
  anchorId: number | null
  /** The indexes (inclusive) to add once they are loaded. */
  wanted: { from: number; to: number } | null
}

const none: State = { ids: new Set(), base: new Set(), anchorId: null, wanted: null }
const nothing: readonly never[] = []

export function useSelection<Item extends FileItem>(listing: Listing<Item>): Selection<Item> {
  const { items: listed, total, loadMore, isStuck } = listing
  const [state, setState] = useState(none)
  const { wanted } = state
  const inHand = useInHand(({ ids }) => ids)
  const items = useMemo(() => chosen(listed, state.ids, inHand), [listed, state.ids, inHand])
  const ids = useMemo(() => idsOf(items, state.ids), [items, state.ids])

  const isThere = wanted !== null && Math.min(wanted.to, total - 1) < listed.length
  // Set it during rendering, as React recommends for state derived from props.
  if (isThere) setState({ ...state, ids: withRange(state.base, listed, wanted), wanted: null })
  else if (wanted !== null && isStuck) setState({ ...state, wanted: null })
  useEffect(() => {
    if (wanted !== null && !isThere) loadMore()
  }, [wanted, isThere, loadMore])

  const toggle = (id: number) => {
    const next = new Set(ids)
    if (!next.delete(id)) next.add(id)
    setState({ ids: next, base: next, anchorId: id, wanted: null })
  }
  return {
    ids,
    items,
    awaited: wanted === null ? null : Math.min(wanted.to, total - 1) - wanted.from + 1,
    toggle,
    press: target => {
      const id = listed[Number(target.closest('[data-index]')?.getAttribute('data-index') ?? -1)]?.id
      if (id !== undefined && !ids.has(id) && target.closest('input') === null) toggle(id)
    },
    anchorAt: id => setState(now => ({ ...now, base: ids, anchorId: id, wanted: null })),
    extendTo: (index, start = index) => {
      const anchor = listed.findIndex(({ id }) => id === state.anchorId)
      const from = anchor < 0 ? Math.max(0, start) : anchor
      const range = { from: Math.min(from, index), to: Math.max(from, index) }
      setState({ ...state, ids, anchorId: listed[from]?.id ?? null, wanted: range })
    },
    selectAll: () => setState({ ...state, ids, wanted: { from: 0, to: Number.POSITIVE_INFINITY } }),
    clear: () => setState(none),
    forget: gone => setState(now => ({ ...now, ids: without(now.ids, gone), base: without(now.base, gone) })),
  }
}

const chosen = <Item extends FileItem>(
  listed: readonly Item[],
  ids: ReadonlySet<number>,
  inHand: ReadonlySet<number>,
): readonly Item[] => (ids.size === 0 ? nothing : listed.filter(({ id }) => ids.has(id) && !inHand.has(id)))

/** The selected ids that are still listed. When all are, returns the same set, which may have tens of thousands. */
const idsOf = (items: readonly FileItem[], selected: ReadonlySet<number>): ReadonlySet<number> =>
  items.length === selected.size ? selected : new Set(items.map(({ id }) => id))

function without(ids: ReadonlySet<number>, gone: readonly FileItem[]): ReadonlySet<number> {
  const left = new Set(ids)
  for (const { id } of gone) left.delete(id)
  return left
}

function withRange(
  base: ReadonlySet<number>,
  listed: readonly FileItem[],
  { from, to }: { from: number; to: number },
): ReadonlySet<number> {
  const all = new Set(base)
  for (const { id } of listed.slice(from, to + 1)) all.add(id)
  return all
}

/** The selection, else one item. */
export const chosenItems = (selection: Selection, active: FileItem | undefined): readonly FileItem[] =>
  selection.ids.size > 0 ? selection.items : active ? [active] : []
