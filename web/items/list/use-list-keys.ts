/** The keyboard of a list of items. */
import { useWindowEvent } from '@mantine/hooks'
import type { FileItem } from '../../../src/api/items.ts'
import type { MenuPlace } from '../../ui/menu-props.ts'
import type { ItemRights } from '../actions/use-item-actions.tsx'
import { destinationOf, type Shape } from './grid/grid-geometry.ts'
import type { ItemsViewProps } from './items-view.ts'
import { itemsInHand } from './selection/use-selection.ts'
import type { ListState } from './use-list-state.ts'

interface ListKeys extends ListState {
  shape: Shape
  /** Scrolls an item into sight. */
  reveal: ItemsViewProps['reveal']
  /** Whether what is listed is not what was asked for last: then keys do nothing to it. */
  isStale: boolean
  open: (item: FileItem) => void
  goUp: (() => void) | undefined
  rename: (item: FileItem) => void
  openMenu: (item: FileItem, place: MenuPlace) => void
  showDetails: () => void
  toggleDetails: () => void
  upload: (() => void) | undefined
  makeFolder: (() => void) | undefined
}

const typed = 'input:not([type="checkbox"]), textarea, select, [contenteditable="true"]'

/** Keys typed into a field, a menu or a dialog are not the list's, nor are those on the folder tree beside it. */
function isForList({ target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || !(target instanceof HTMLElement)) return false
  if (document.querySelector('[role="dialog"],[role="menu"]') !== null) return false
  return (target === document.body || target.closest('main') !== null) && !target.matches(typed)
}

/** Whether a key that a button or link answers to is meant for that, not for the list. */
const isForControl = ({ target, key }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') && target instanceof HTMLElement && target.matches('button, a, input, [role="tab"]')

/**
 * Whether arrows move in the list: with the focus on one of its rows, on what is in one, or on nothing. With Alt or
 * Meta they are the browser's.
 */
const isOnRow = ({ target, altKey, metaKey }: KeyboardEvent): boolean =>
  !altKey &&
  !metaKey &&
  (target === document.body || (target instanceof HTMLElement && target.closest('[role="row"]') !== null))

export function useListKeys(keys: ListKeys): void {
  useWindowEvent('keydown', event => {
    if (!isForList(event) || isForControl(event)) return
    const to = isOnRow(event) && !keys.isStale ? destinationOf(event.key, keys.focus.activeIndex, keys.shape) : null
    if (to !== null) moveFocus(event, to, keys)
    else if (runKey(event, keys)) event.preventDefault()
  })
}

function moveFocus(event: KeyboardEvent, to: number, { selection, focus, listing, reveal }: ListKeys): void {
  event.preventDefault()
  if (event.shiftKey) selection.extendTo(to, focus.activeIndex)
  else selection.anchorAt(listing.items[to]?.id ?? null)
  focus.focusAt(to)
  reveal.current?.(to)
}

/** Letters and keys that act on what is selected, else on the item the keyboard is on, and the right that each needs. */
const onItems: Record<
  string,
  [act: 'trash' | 'manageTags' | 'moveTo' | 'download' | 'favorite', right?: keyof ItemRights]
> = {
  delete: ['trash', 'trash'],
  t: ['manageTags', 'tag'],
  m: ['moveTo', 'change'],
  d: ['download'],
  s: ['favorite', 'change'],
}

/** Whether the key meant something here. */
function runKey(event: KeyboardEvent, keys: ListKeys): boolean {
  const { selection, focus, actions, listing } = keys
  const key = event.key.toLowerCase()
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
  if (key === ']') return run(keys.toggleDetails)
  if (key === 'u' && isPlain) return run(keys.upload)
  if (key === 'n' && isPlain) return run(keys.makeFolder)
  if (keys.isStale) return false
  if (key === 'a' && (event.ctrlKey || event.metaKey)) return run(selection.selectAll)
  if (key === 'escape' && (selection.ids.size > 0 || selection.awaited !== null)) return run(selection.clear)
  const active = listing.items[focus.activeIndex]
  if (key === ' ' && event.ctrlKey && active) return run(() => selection.toggle(active.id))
  if (!isPlain) return false
  if (key === 'backspace') return run(keys.goUp)
  const [act, right] = onItems[key] ?? []
  const targets = itemsInHand(selection, active)
  if (act && targets.length > 0 && (right === undefined || actions.may[right])) return run(() => actions[act](targets))
  return active !== undefined && runOnItem(event, active, keys)
}

function runOnItem(event: KeyboardEvent, item: FileItem, keys: ListKeys): boolean {
  const { key, shiftKey } = event
  if (key === 'ContextMenu' || (key === 'F10' && shiftKey)) return run(() => openMenuBeside(item, keys))
  if (key === 'Enter') return run(() => keys.open(item))
  if (key === 'F2') return keys.actions.may.change && run(() => keys.rename(item))
  if (key.toLowerCase() === 'i') return run(keys.showDetails)
  if (key !== ' ') return false
  return run(() => (item.is_directory ? keys.selection.toggle(item.id) : keys.actions.preview(item)))
}

/** The menu opens where the item's name begins. */
function openMenuBeside(item: FileItem, { focus, openMenu }: ListKeys): void {
  const element = document.querySelector(`main [role="grid"] [data-index="${focus.activeIndex}"]`)
  if (element === null) return
  const { x, y, width, height } = element.getBoundingClientRect()
  openMenu(item, { x: x + Math.min(64, width / 4), y: y + height / 2, width: 0, height: 0 })
}

function run(act: (() => void) | undefined): boolean {
  act?.()
  return act !== undefined
}
