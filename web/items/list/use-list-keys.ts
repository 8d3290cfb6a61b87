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
  /** Scrolls an item into view. */
  reveal: ItemsViewProps['reveal']
  /** Whether the list still shows the previous content; then keys do not act on it. */
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

/** Whether a key is meant for the list, and not for a field, a menu, a dialog or the folder tree. */
function isForList({ target, defaultPrevented }: KeyboardEvent): boolean {
  if (defaultPrevented || !(target instanceof HTMLElement)) return false
  if (document.querySelector('[role="dialog"],[role="menu"]') !== null) return false
  return (target === document.body || target.closest('main') !== null) && !target.matches(typed)
}

/** Whether a button or link handles the key itself. */
const isForControl = ({ target, key }: KeyboardEvent): boolean =>
  (key === 'Enter' || key === ' ') && target instanceof HTMLElement && target.matches('button, a, input, [role="tab"]')

/**
 * Whether arrow keys move in the list: when the focus is on a row, inside one, or nowhere. With Alt or Meta the browser
 * handles them.
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

/** The keys that act on the selection, else on the focused item, with the permission that each needs. */
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

/** Whether the key was handled. */
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

/** Opens the menu where the item's name begins. */
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
