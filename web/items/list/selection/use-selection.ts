/** Which items of a list are selected, and how clicks and keys change that. */
import { useEffect, useMemo, useState } from 'react'
import type { FileItem } from '../../../../src/api/items.ts'
import type { Listing } from '../listing.ts'

export interface Selection {
  ids: ReadonlySet<number>
  /** The selected items that are still listed, in the list's order. */
  items: readonly FileItem[]
  /** How many items are to be selected as soon as they are all loaded; null while nothing waits for that. */
  awaited: number | null
  toggle: (id: number) => void
  /** Where the next range begins. */
  anchorAt: (id: number | null) => void
  /** Selects everything between where the range began, else the position `start`, and another position. */
  extendTo: (index: number, start?: number) => void
  /** Selects all items, also those that are not loaded yet. */
  selectAll: () => void
  clear: () => void
}

interface State {
  ids: ReadonlySet<number>
  /** What was selected before the last range was: a range that shrinks leaves it. */
  base: ReadonlySet<number>
  /** Where a range begins: the item last chosen, or last walked or clicked on. */
  anchorId: number | null
  /** Positions, both inclusive, that are to be added once they are loaded. */
  wanted: { from: number; to: number } | null
}

const none: State = { ids: new Set(), base: new Set(), anchorId: null, wanted: null }
const nothing: readonly FileItem[] = []

export function useSelection({ items: listed, total, loadMore, isStuck }: Listing): Selection {
  const [state, setState] = useState(none)
  const { wanted } = state
  const items = useMemo(() => chosen(listed, state.ids), [listed, state.ids])
  const ids = useMemo(() => idsOf(items, state.ids), [items, state.ids])

  const isThere = wanted !== null && Math.min(wanted.to, total - 1) < listed.length
  // Set while rendering, as React advises for state that follows from props.
  if (isThere) setState({ ...state, ids: withRange(state.base, listed, wanted), wanted: null })
  else if (wanted !== null && isStuck) setState({ ...state, wanted: null })
  useEffect(() => {
    if (wanted !== null && !isThere) loadMore()
  }, [wanted, isThere, loadMore])

  return {
    ids,
    items,
    awaited: wanted === null ? null : Math.min(wanted.to, total - 1) - wanted.from + 1,
    toggle: id => {
      const next = new Set(ids)
      if (!next.delete(id)) next.add(id)
      setState({ ids: next, base: next, anchorId: id, wanted: null })
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
  }
}

const chosen = (listed: readonly FileItem[], ids: ReadonlySet<number>): readonly FileItem[] =>
  ids.size === 0 ? nothing : listed.filter(({ id }) => ids.has(id))

/** What is left of a selection: of tens of thousands that are all there it is the selection itself. */
const idsOf = (items: readonly FileItem[], selected: ReadonlySet<number>): ReadonlySet<number> =>
  items.length === selected.size ? selected : new Set(items.map(({ id }) => id))

function withRange(
  base: ReadonlySet<number>,
  listed: readonly FileItem[],
  { from, to }: { from: number; to: number },
): ReadonlySet<number> {
  const all = new Set(base)
  for (const { id } of listed.slice(from, to + 1)) all.add(id)
  return all
}

/** What an act without a choice of its own is about: the selected items, else the one the keyboard is on. */
export const itemsInHand = (selection: Selection, active: FileItem | undefined): readonly FileItem[] =>
  selection.ids.size > 0 ? selection.items : active ? [active] : []
