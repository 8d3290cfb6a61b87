/** The keyboard of the file list. */
import { useWindowEvent } from '@mantine/hooks'
import type { FileItem } from '../../../src/api/items.ts'
import type { Selection } from './use-selection.ts'

interface ListKeys {
  items: readonly FileItem[]
  /** The position of the row that has, or last had, the focus; -1 before any had it. */
  activeIndex: number
  selection: Selection
  focusAt: (index: number) => void
  open: (item: FileItem) => void
  goUp: () => void
  rename: (item: FileItem) => void
  trash: (items: readonly FileItem[]) => void
}

const pageStep = 10
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: pageStep, PageUp: -pageStep }

/** Where a key leads to, or null for keys that lead nowhere. */
function destinationOf(key: string, { items, activeIndex }: ListKeys): number | null {
  const last = items.length - 1
  if (last < 0) return null
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = steps[key]
  if (step === undefined) return null
  return activeIndex < 0 ? 0 : Math.min(last, Math.max(0, activeIndex + step))
}

/** Keys typed into a field, a menu or a dialog are not the list's; those on nothing in particular are. */
function isForList(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement
  if (event.defaultPrevented || document.querySelector('[role="dialog"],[role="menu"]') !== null) return false
  return target === document.body || target.getAttribute('role') === 'row'
}

export function useListKeys(keys: ListKeys): void {
  useWindowEvent('keydown', event => {
    if (!isForList(event)) return
    const to = destinationOf(event.key, keys)
    if (to !== null) moveFocus(event, to, keys)
    else if (runShortcut(event, keys)) event.preventDefault()
  })
}

function moveFocus(event: KeyboardEvent, to: number, { items, activeIndex, selection, focusAt }: ListKeys): void {
  event.preventDefault()
  const from = items[activeIndex]
  const target = items[to]
  if (event.shiftKey && target) {
    if (from && selection.ids.size === 0) selection.toggle(from.id)
    selection.extendTo(target.id)
  }
  focusAt(to)
}

/** Whether the key meant something here. */
function runShortcut(event: KeyboardEvent, keys: ListKeys): boolean {
  const { items, activeIndex, selection } = keys
  const active = items[activeIndex]
  const withControl = event.ctrlKey || event.metaKey
  if (withControl && event.key.toLowerCase() === 'a') selection.selectAll()
  else if (event.key === 'Escape' && selection.ids.size > 0) selection.clear()
  else if (event.key === 'Backspace' && !withControl) keys.goUp()
  else if (event.key === 'Delete' && (selection.ids.size > 0 || active)) {
    keys.trash(selection.ids.size > 0 ? selection.items : items.slice(activeIndex, activeIndex + 1))
  } else if (active && event.key === ' ') selection.toggle(active.id)
  else if (active && event.key === 'Enter') keys.open(active)
  else if (active && event.key === 'F2') keys.rename(active)
  else return false
  return true
}
