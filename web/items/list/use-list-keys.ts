/** The keyboard of a list of items. */

import { useWindowEvent } from '@mantine/hooks'
import type { FileItem } from '../../../src/api/items.ts'
import type { ItemRights } from '../../../src/api/rights.ts'
import type { MenuPlace } from '../../ui/menu-props.ts'
import { showNotice } from '../../ui/toast.tsx'
import { endTouch } from '../../ui/touch.ts'
import { destinationOf, type Shape } from './grid/grid-geometry.ts'
import type { ItemsViewProps } from './items-view.ts'
import { isForList, keyTargets } from './key-targets.ts'
import type { ListState } from './use-list-state.ts'

interface ListKeys extends ListState {
  shape: Shape
  /** Scrolls an item into view. */
  reveal: ItemsViewProps['reveal']
  /** Whether the list still shows the previous content; then keys do not act on it. */
  isStale: boolean
  open: (item: FileItem) => void
  goUp: (() => void) | undefined
  /** Undefined in a list whose items are all in the same folder. */
  showInFolder: ((item: FileItem) => void) | undefined
  rename: (item: FileItem) => void
  openMenu: (item: FileItem, place: MenuPlace) => void
  showDetails: () => void
  toggleDetails: () => void
  /** The next three act on the folder on screen. */
  share: (() => void) | undefined
  upload: (() => void) | undefined
  makeFolder: (() => void) | undefined
}

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
    if (!isForList(event)) return
    const to = isOnRow(event) && !keys.isStale ? destinationOf(event.key, keys.focus.activeIndex, keys.shape) : null
    if (to !== null) moveFocus(event, to, keys)
    else if (runKey(event, keys)) event.preventDefault()
    endTouch()
  })
}

function moveFocus(event: KeyboardEvent, to: number, { selection, focus, listing, reveal }: ListKeys): void {
  event.preventDefault()
  if (event.shiftKey) selection.extendTo(to, focus.activeIndex)
  else selection.anchorAt(listing.items[to]?.id ?? null)
  focus.focusAt(to)
  reveal.current?.(to)
}

/** The keys that act on any number of items, with the right that each needs. */
const onItems: Record<
  string,
  [act: 'trash' | 'manageTags' | 'moveTo' | 'download' | 'favorite', right?: keyof ItemRights]
> = {
  delete: ['trash', 'trash'],
  t: ['manageTags', 'tag'],
  m: ['moveTo', 'organise'],
  d: ['download'],
  s: ['favorite', 'mark'],
}

/** Whether the focus is on an item, which may be out of sight or in the hands of an act. */
const isOnItem = ({ target }: KeyboardEvent): boolean => (target as Element).closest('[data-index]') !== null

const stillSelecting = 'Not all items are selected yet. Press the key again once they are.'

const shareAlone = 'Files and folders are shared one by one. Select a single one.'

/** Whether the key was handled. */
function runKey(event: KeyboardEvent, keys: ListKeys): boolean {
  const { selection, actions } = keys
  const key = event.key.toLowerCase()
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
  if (key === ']') return run(keys.toggleDetails)
  if (key === 'u' && isPlain) return run(keys.upload)
  if (key === 'n' && isPlain) return run(keys.makeFolder)
  if (keys.isStale) return false
  if (key === 'a' && (event.ctrlKey || event.metaKey)) return run(selection.selectAll)
  if (key === 'escape' && (selection.ids.size > 0 || selection.awaited !== null)) return run(selection.clear)
  if (key === 'backspace' && isPlain) return run(keys.goUp)
  const { ringed, items } = keyTargets(event, keys)
  if (key === ' ' && ringed && (event.ctrlKey || (isPlain && ringed.is_directory))) {
    return run(() => selection.toggle(ringed.id))
  }
  const [act, right] = onItems[key] ?? []
  if (act && isPlain && selection.awaited !== null) return run(() => showNotice(stillSelecting))
  const [first] = items
  if (!isPlain) return false
  if (first === undefined) return key === 'p' && !isOnItem(event) && selection.awaited === null && run(keys.share)
  if (act) return (right === undefined || actions.mayOn(items)[right]) && run(() => actions[act](items))
  if (key === 'contextmenu' || (key === 'f10' && event.shiftKey)) {
    return run(() => openMenuBeside(ringed && items.includes(ringed) ? ringed : first, keys))
  }
  if (key === 'i') return run(keys.showDetails)
  if (key === 'p' && items.length > 1) return actions.mayOn(items).openShare && run(() => showNotice(shareAlone))
  return items.length === 1 && runOnItem(key, first, keys)
}

/** The keys that act on one item. */
function runOnItem(key: string, item: FileItem, { actions, open, rename, showInFolder }: ListKeys): boolean {
  if (key === 'enter') return run(() => open(item))
  if (key === 'f') return run(showInFolder && (() => showInFolder(item)))
  if (key === 'p') return actions.mayOn([item]).openShare && run(() => actions.share(item))
  if (key === 'f2') return actions.mayOn([item]).organise && run(() => rename(item))
  return key === ' ' && !item.is_directory && run(() => actions.preview(item))
}

/** Opens the menu where the item's name begins. */
function openMenuBeside(item: FileItem, { listing, openMenu }: ListKeys): void {
  const element = document.querySelector(`main [role="grid"] [data-index="${listing.items.indexOf(item)}"]`)
  if (element === null) return
  const { x, y, width, height } = element.getBoundingClientRect()
  openMenu(item, { x: x + Math.min(64, width / 4), y: y + height / 2, width: 0, height: 0 })
}

function run(act: (() => void) | undefined): boolean {
  act?.()
  return act !== undefined
}
