/** Which items of the folder are selected, and how clicks and keys change that. */
import { useMemo, useRef, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'

export interface Selection {
  ids: ReadonlySet<number>
  /** The selected items that are still listed, in the list's order. */
  items: FileItem[]
  toggle: (id: number) => void
  /** Selects everything between the item last chosen and this one. */
  extendTo: (id: number) => void
  selectAll: () => void
  clear: () => void
}

const none: ReadonlySet<number> = new Set()

function between(items: readonly FileItem[], from: number | null, to: number): number[] {
  const end = items.findIndex(({ id }) => id === to)
  const start = from === null ? -1 : items.findIndex(({ id }) => id === from)
  if (start < 0) return [to]
  return items.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ id }) => id)
}

export function useSelection(listed: readonly FileItem[]): Selection {
  const [chosen, setChosen] = useState(none)
  const anchor = useRef<number | null>(null)
  const items = useMemo(() => (chosen.size === 0 ? [] : listed.filter(({ id }) => chosen.has(id))), [listed, chosen])
  const ids = useMemo(() => new Set(items.map(({ id }) => id)), [items])

  return {
    ids,
    items,
    toggle: id => {
      anchor.current = id
      setChosen(ids.has(id) ? new Set([...ids].filter(other => other !== id)) : new Set([...ids, id]))
    },
    extendTo: id => {
      const range = between(listed, anchor.current, id)
      anchor.current ??= id
      setChosen(new Set([...ids, ...range]))
    },
    selectAll: () => setChosen(new Set(listed.map(({ id }) => id))),
    clear: () => {
      anchor.current = null
      setChosen(none)
    },
  }
}
