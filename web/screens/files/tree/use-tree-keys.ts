/** Keyboard control of the folder tree, after the ARIA tree pattern, and which row Tab reaches. */
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { closeInTree, type FolderId, openInTree } from './open-folders.ts'
import type { TreeRow } from './tree-rows.ts'

interface TreeKeys {
  /** The row that Tab reaches; 0 before the keyboard is used. */
  activeIndex: number
  /** Whether the focus must follow to that row. */
  isMoving: RefObject<boolean>
  onFocus: (index: number) => void
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
}

/** Identifies a row, however the rows change. */
export const rowKey = (row: TreeRow): string => (row.kind === 'folder' ? `${row.id}` : `${row.kind} in ${row.parentId}`)

const canFocus = (row: TreeRow | undefined): boolean => row?.kind === 'folder' || row?.kind === 'failed'

/** The nearest focusable row in a direction; the row itself when there is none. */
function step(rows: readonly TreeRow[], from: number, by: 1 | -1): number {
  for (let index = from + by; index >= 0 && index < rows.length; index += by) if (canFocus(rows[index])) return index
  return from
}

/** The row of the parent folder. */
function outer(rows: readonly TreeRow[], from: number): number {
  const depth = rows[from]?.depth ?? 0
  return Math.max(
    0,
    rows.findLastIndex((row, index) => index < from && row.depth < depth),
  )
}

/** The next folder whose name begins with a letter; continues at the top. */
function named(rows: readonly TreeRow[], from: number, letter: string): number {
  const begins = (row: TreeRow) =>
    row.kind === 'folder' && row.name.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase())
  const next = rows.findIndex((row, index) => index > from && begins(row))
  return next >= 0 ? next : rows.findIndex(begins)
}

/** The row that a key leads to; null when the key does not navigate. Right and Left first expand and collapse. */
function follow(key: string, rows: readonly TreeRow[], from: number): number | null {
  const row = rows[from]
  const folder = row?.kind === 'folder' ? row : null
  if (key === 'ArrowDown') return step(rows, from, 1)
  if (key === 'ArrowUp') return step(rows, from, -1)
  if (key === 'Home') return 0
  if (key === 'End') return step(rows, rows.length, -1)
  if (key === 'ArrowRight') {
    if (folder?.isOpen) return step(rows, from, 1)
    if (folder?.canOpen) openInTree([folder.id])
    return from
  }
  if (key === 'ArrowLeft') {
    if (!folder?.isOpen) return outer(rows, from)
    closeInTree(folder.id)
    return from
  }
  return key.length === 1 && key !== ' ' && key !== '[' ? named(rows, from, key) : null
}

/** Whether a key must be turned into a click. Links and buttons handle Enter themselves. */
const presses = ({ key, target }: KeyboardEvent): boolean =>
  key === ' ' || (key === 'Enter' && !(target as HTMLElement).matches('a, button'))

export function useTreeKeys(rows: readonly TreeRow[], currentId: FolderId | undefined): TreeKeys {
  const [activeKey, setActiveKey] = useState<string | null>(null)
  const isMoving = useRef(false)
  const active = rows.findIndex(row => rowKey(row) === (activeKey ?? `${currentId}`))
  const activeIndex = active < 0 ? 0 : active

  return {
    activeIndex,
    isMoving,
    onFocus: index => {
      const row = rows[index]
      if (row !== undefined) setActiveKey(rowKey(row))
    },
    onKeyDown: event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (presses(event)) {
        event.preventDefault()
        return (event.target as HTMLElement).click()
      }
      const to = follow(event.key, rows, activeIndex)
      const row = to === null ? undefined : rows[to]
      if (row === undefined) return
      event.preventDefault()
      isMoving.current = true
      setActiveKey(rowKey(row))
    },
  }
}

/** Moves the focus to the row that a key led to. It is rendered by then, because the row that Tab reaches always is. */
export function useFocusMoves(
  { activeIndex, isMoving }: TreeKeys,
  tree: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
): void {
  useEffect(() => {
    if (!isMoving.current) return
    isMoving.current = false
    scrollTo(activeIndex)
    tree.current?.querySelector<HTMLElement>(`[data-index="${activeIndex}"]`)?.focus({ preventScroll: true })
  })
}
