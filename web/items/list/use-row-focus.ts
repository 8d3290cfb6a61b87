/** Which row has the keyboard focus, and which gets it next. */
import { useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'

export interface FocusWish {
  index: number
  /** Whether it is granted only if the focus is in the list, or nowhere. */
  isSoft?: boolean
}

export interface RowFocus {
  /** The index of the focused row; -1 when there is none. */
  activeIndex: number
  /** The item that the details show: the one that had the focus last, unless the user then clicked beside all items. */
  current: FileItem | undefined
  /** A new object for each request, so that the same row can be requested twice. */
  wish: FocusWish | null
  /** Whether an item is requested that is not listed or not loaded yet. */
  isAwaiting: boolean
  /** Called when an item gets the focus. */
  activate: (index: number) => void
  /** Ends `current`. Tab and the arrow keys still go on from the row that had the focus. */
  release: () => void
  focusAt: (index: number) => void
  /** Focuses an item once it is listed. */
  focusItem: (id: number) => void
  /** Shows the focused item where the list sorts it next, after a new name. */
  follow: () => void
  /** Moves the focus to the next remaining item when the focused one is about to be removed. */
  leave: (going: readonly FileItem[]) => void
}

interface State {
  activeId: number | null
  /** The index of a focused row whose item is not loaded yet. */
  emptyIndex: number | null
  wish: FocusWish | null
  /** An item to focus as soon as it is listed. */
  awaitedId: number | null
  /** The index that the focused item leaves; null unless it is followed. */
  leftIndex: number | null
}

/** Returns the same state when the row is already active: a row reports every focus, even one set from here. */
const activated = (now: State, { activeId, emptyIndex }: Pick<State, 'activeId' | 'emptyIndex'>): State =>
  now.activeId === activeId && now.emptyIndex === emptyIndex ? now : { ...now, activeId, emptyIndex, leftIndex: null }

/** `startId` is the item that gets the focus first; null for none. */
export function useRowFocus(items: readonly FileItem[], startId: number | null): RowFocus {
  const [state, setState] = useState<State>({
    activeId: null,
    emptyIndex: null,
    wish: null,
    awaitedId: startId,
    leftIndex: null,
  })
  const [isReleased, setReleased] = useState(false)
  const indexOf = (id: number | null): number => (id === null ? -1 : items.findIndex(item => item.id === id))
  const at = (index: number): Pick<State, 'activeId' | 'emptyIndex'> => {
    const item = items[index]
    return item === undefined ? { activeId: null, emptyIndex: index } : { activeId: item.id, emptyIndex: null }
  }
  const awaited = indexOf(state.awaitedId)
  // Set during rendering, as React recommends for derived state, so that the row is in the very next frame.
  if (awaited >= 0) {
    setState({
      activeId: state.awaitedId,
      emptyIndex: null,
      wish: { index: awaited },
      awaitedId: null,
      leftIndex: null,
    })
  } else if (state.emptyIndex !== null && items[state.emptyIndex] !== undefined) {
    setState({ ...state, ...at(state.emptyIndex), wish: { index: state.emptyIndex } })
  }

  const activeIndex = state.emptyIndex ?? indexOf(state.activeId)
  if (state.leftIndex !== null && activeIndex >= 0 && activeIndex !== state.leftIndex) {
    setState({ ...state, wish: { index: activeIndex, isSoft: true }, leftIndex: null })
  }
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
    current: isReleased ? undefined : items[activeIndex],
    wish: state.wish,
    isAwaiting: state.awaitedId !== null,
    activate: index => {
      setReleased(false)
      setState(now => activated(now, at(index)))
    },
    release: () => setReleased(true),
    focusAt: index => setState(now => ({ ...now, ...at(index), wish: { index } })),
    focusItem,
    follow: () => setState(now => ({ ...now, leftIndex: activeIndex })),
    leave,
  }
}
