/** Which row the keyboard is on, and which one is to take the focus next. */
import { useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'

export interface RowFocus {
  /** The position of the row the keyboard is on; -1 before there was any. */
  activeIndex: number
  /** A new object for each wish, so that the same row can be asked for twice. */
  wish: { index: number } | null
  /** Whether an item is wanted that is not listed, or not loaded, yet. */
  isAwaiting: boolean
  activate: (index: number) => void
  focusAt: (index: number) => void
  /** Focuses an item once it is listed. */
  focusItem: (id: number) => void
  /** Moves on to the next item that stays when the one the keyboard is on is about to go. */
  leave: (going: readonly FileItem[]) => void
}

interface State {
  activeId: number | null
  /** A row whose item is not loaded yet; the keyboard is on it until then. */
  emptyIndex: number | null
  wish: { index: number } | null
  /** An item that is to be focused as soon as it is listed. */
  awaitedId: number | null
}

/** The same state where the keyboard is there already: a row that was given the focus says so itself. */
const activated = (now: State, { activeId, emptyIndex }: Pick<State, 'activeId' | 'emptyIndex'>): State =>
  now.activeId === activeId && now.emptyIndex === emptyIndex ? now : { ...now, activeId, emptyIndex }

/** `startId`: the item to begin on; null begins on none. */
export function useRowFocus(items: readonly FileItem[], startId: number | null): RowFocus {
  const [state, setState] = useState<State>({ activeId: null, emptyIndex: null, wish: null, awaitedId: startId })
  const indexOf = (id: number | null): number => (id === null ? -1 : items.findIndex(item => item.id === id))
  const at = (index: number): Pick<State, 'activeId' | 'emptyIndex'> => {
    const item = items[index]
    return item === undefined ? { activeId: null, emptyIndex: index } : { activeId: item.id, emptyIndex: null }
  }
  const awaited = indexOf(state.awaitedId)
  // Set while rendering, as React advises for state that follows from props: the row is in the very next picture.
  if (awaited >= 0) {
    setState({ activeId: state.awaitedId, emptyIndex: null, wish: { index: awaited }, awaitedId: null })
  } else if (state.emptyIndex !== null && items[state.emptyIndex] !== undefined) {
    setState({ ...state, ...at(state.emptyIndex), wish: { index: state.emptyIndex } })
  }

  const activeIndex = state.emptyIndex ?? indexOf(state.activeId)
  const focusItem = (id: number) => setState(now => ({ ...now, awaitedId: id }))
  const leave = (going: readonly FileItem[]) => {
    const ids = new Set(going.map(({ id }) => id))
    const stays = (item: FileItem) => !ids.has(item.id)
    const active = items[activeIndex]
    if (active === undefined || stays(active)) return
    const next = items.slice(activeIndex).find(stays) ?? items.slice(0, activeIndex).findLast(stays)
    if (next !== undefined) focusItem(next.id)
  }

  return {
    activeIndex,
    wish: state.wish,
    isAwaiting: state.awaitedId !== null,
    activate: index => setState(now => activated(now, at(index))),
    focusAt: index => setState(now => ({ ...now, ...at(index), wish: { index } })),
    focusItem,
    leave,
  }
}
