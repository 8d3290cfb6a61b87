/** Which items of the folder are selected. */
import { useMemo, useRef, useState } from 'react'
import type { VisitorItem } from '../../../src/api/visits.ts'
import { loadAll } from './listing.ts'

export interface Selection {
  ids: ReadonlySet<number>
  /** The selected items in the order of the list. */
  items: readonly VisitorItem[]
  /** Whether the rest of the folder is being loaded, to be selected too. */
  isGathering: boolean
  /** With `isRange` all from the last one that was toggled. */
  toggle: (index: number, isRange: boolean) => void
  /** Sets where the next range begins. */
  startAt: (index: number) => void
  selectAll: () => void
  clear: () => void
}

const none: ReadonlySet<number> = new Set()

/** Keep it for one folder in one order: give the component another key for the next. */
export function useSelection(items: readonly VisitorItem[]): Selection {
  const [ids, setIds] = useState(none)
  const [isGathering, setGathering] = useState(false)
  const start = useRef(0)
  const chosen = useMemo(() => (ids.size === 0 ? [] : items.filter(({ id }) => ids.has(id))), [ids, items])
  const isWanted = useRef(false)
  return {
    ids,
    items: chosen,
    isGathering,
    toggle: (index, isRange) => {
      const item = items[index]
      if (item === undefined) return
      const next = new Set(ids)
      if (isRange) {
        const [from, to] = [Math.min(start.current, index), Math.max(start.current, index)]
        for (const { id } of items.slice(from, to + 1)) next.add(id)
      } else {
        start.current = index
        if (!next.delete(item.id)) next.add(item.id)
      }
      setIds(next)
    },
    startAt: index => {
      start.current = index
    },
    selectAll: () => {
      isWanted.current = true
      setGathering(true)
      void loadAll().then(all => {
        setGathering(false)
        if (isWanted.current) setIds(new Set(all.map(({ id }) => id)))
      })
    },
    clear: () => {
      isWanted.current = false
      setIds(none)
    },
  }
}
