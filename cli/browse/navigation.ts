/** Moves between places. */
import type { SortKey } from '../../src/api/files.ts'
import type { Place as ItemPlace } from '../../src/api/items.ts'
import { isPlaceRoot } from '../../src/api/places.ts'
import { shownPath } from '../places.ts'
import { type App, attempt, say } from './app.ts'
import { currentEntry, moveTo } from './cursor.ts'
import { listRows } from './layout.ts'
import { isLoaded, lengthOf } from './listing.ts'
import { refresh, reload } from './loading.ts'
import { folderPathOf } from './location.ts'
import { firstSource, openPlace, type Place, type Source, type View, viewOf } from './place.ts'
import { openPreview } from './preview.ts'
import type { State } from './state.ts'

/** The most places to keep for the way back. */
const longestTrail = 30

const noSelection: State['selection'] = new Map()

/** Moves the cursor by a number of rows. */
export function moveBy(app: App, rows: number): void {
  const state = app.store.get()
  app.store.set({ place: moveTo(state.place, state.place.cursor + rows, listRows(state)) })
}

export const moveToStart = (app: App): void => moveBy(app, -Number.MAX_SAFE_INTEGER)

export const moveToEnd = (app: App): void => moveBy(app, lengthOf(app.store.get().place.listing))

/** Shows another place, and keeps the current one for the way back. */
export function enter(app: App, place: Place): void {
  const { place: here, trail } = app.store.get()
  app.store.set({
    place,
    trail: [...trail, here].slice(-longestTrail),
    selection: noSelection,
    message: undefined,
    mode: { kind: 'list' },
  })
}

const folderPlace = (state: State, parentId: number | null, focusId?: number): Place =>
  openPlace({ kind: 'folder', parentId, sort: state.sort, reverse: state.reverse, foldersOnly: false }, focusId)

/** Opens the entry under the cursor: a folder as the list, a file as its preview. */
export function openEntry(app: App) {
  const state = app.store.get()
  const entry = currentEntry(state)
  if (entry === undefined) return
  if (!entry.is_directory || viewOf(state.place) === 'trash') return openPreview(app, entry)
  enter(app, { ...folderPlace(state, entry.id), path: shownPath(entry) })
}

function showAgain(app: App, place: Place, trail: readonly Place[]): void {
  app.store.set({ place, trail, selection: noSelection, message: undefined })
  void attempt(app, () => refresh(app))
}

/** Shows the list of team folders, or of what is shared, with the cursor on the place that is left. */
function leavePlace(app: App, { kind, id }: Pick<ItemPlace, 'kind' | 'id'>): void {
  const tab = kind === 'team' ? 'teams' : 'shared'
  app.store.set({
    tab,
    place: openPlace(firstSource(tab), id),
    trail: [],
    selection: noSelection,
    message: undefined,
  })
}

/** Returns to the previous place, or else to the folder above, or out of the place. */
export function goBack(app: App) {
  const state = app.store.get()
  const { source, breadcrumbs, folder } = state.place
  const last = state.trail.at(-1)
  if (last !== undefined) return showAgain(app, last, state.trail.slice(0, -1))
  if (source.kind !== 'folder') return showView(app, 'files')
  // The folder above is known only once the list is loaded.
  if (source.parentId === null || !isLoaded(state.place.listing)) return
  const above = breadcrumbs.at(-2)
  if (above === undefined && folder?.root && !state.isFolderKey) return leavePlace(app, folder.root)
  app.store.set({
    place: { ...folderPlace(state, above?.id ?? null, source.parentId), path: above?.path ?? '/' },
    selection: noSelection,
    message: undefined,
  })
}

/** Shows the folder of the entry under the cursor, with the cursor on it. */
export function showInFolder(app: App) {
  const state = app.store.get()
  const entry = currentEntry(state)
  if (entry === undefined) return
  if (state.place.source.kind === 'folder') return say(app, 'This is its folder')
  if (entry.place !== null && isPlaceRoot(entry)) {
    if (viewOf(state.place) === 'shared') return say(app, 'The folder around it is not shared with you')
    return leavePlace(app, entry.place)
  }
  enter(app, { ...folderPlace(state, entry.parent_id, entry.id), path: folderPathOf(entry) })
}

/** Shows a view: the files where the person left them, any other view from its first list. */
export function showView(app: App, view: View) {
  const state = app.store.get()
  if (view === state.tab) {
    const [first] = state.trail
    if (view === 'files') return
    if (first !== undefined) showAgain(app, first, [])
    else if (viewOf(state.place) !== view) showList(app, firstSource(view))
    return
  }
  const parked = state.tab === 'files' ? { place: state.place, trail: state.trail } : state.parked
  app.store.set({ parked, tab: view })
  if (view === 'files') return showAgain(app, parked?.place ?? folderPlace(state, null), parked?.trail ?? [])
  showList(app, firstSource(view))
}

/** Shows a list in place of the view's present one. */
export function showList(app: App, source: Source): void {
  app.store.set({ place: openPlace(source), trail: [], selection: noSelection, message: undefined })
}

function sortBy(app: App, sort: SortKey, reverse: boolean): void {
  const { place } = app.store.get()
  app.store.set({ sort, reverse })
  if (place.source.kind !== 'folder') return
  reload(app, { ...place, source: { ...place.source, sort, reverse }, cursor: 0, top: 0 })
}

/**
 * Returns the current order. A folder keeps its own order when the person comes back to it, whatever was chosen since.
 */
const orderOf = ({ place, sort, reverse }: State): Pick<State, 'sort' | 'reverse'> =>
  place.source.kind === 'folder' ? place.source : { sort, reverse }

const nextSort: Readonly<Record<SortKey, SortKey>> = { name: 'date', date: 'size', size: 'type', type: 'name' }

export function cycleSort(app: App): void {
  const { sort, reverse } = orderOf(app.store.get())
  sortBy(app, nextSort[sort], reverse)
}

export function reverseSort(app: App): void {
  const { sort, reverse } = orderOf(app.store.get())
  sortBy(app, sort, !reverse)
}
