/** Loads the visible pages, one at a time, ahead of the cursor. */
import { ApiError } from '../../src/api/client.ts'
import type { Place as ItemPlace } from '../../src/api/items.ts'
import { type App, attempt, say, sentenceOf } from './app.ts'
import { focusLoaded } from './cursor.ts'
import { dialogRows, listRows } from './layout.ts'
import { emptyListing, missingPage, pageAgain, putPage, type Want } from './listing.ts'
import { firstSource, openPlace, type Place } from './place.ts'
import { readPage } from './sources.ts'
import type { State } from './state.ts'

/** Rows beyond the screen that are loaded in advance. */
const ahead = 40

/** Where a place is in the state: in the main list, or in the list of folders to choose from. */
interface Slot {
  read(state: State): Place | undefined
  write(state: State, place: Place): Partial<State>
  rows(state: State): number
  /** The number of rows before the list's own. */
  extra: number
}

const mainSlot: Slot = {
  read: state => state.place,
  write: (_state, place) => ({ place }),
  rows: listRows,
  extra: 0,
}

const pickerSlot: Slot = {
  read: ({ mode }) => (mode.kind === 'picker' ? mode.place : undefined),
  write: ({ mode }, place) => (mode.kind === 'picker' ? { mode: { ...mode, place } } : {}),
  rows: dialogRows,
  extra: 1,
}

/** The ids of lists that are being loaded, and of those whose last request failed. */
const asked = new Set<number>()
const failed = new Set<number>()

const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'not_found' || error.code === 'forbidden')

/** Leaves a folder that is gone, or whose share has ended: what was in it must not stay on screen. */
function leaveGone(app: App, { kind }: ItemPlace, name: string): void {
  const tab = kind === 'team' ? 'teams' : 'shared'
  app.store.set({ tab, place: openPlace(firstSource(tab)), trail: [], selection: new Map(), mode: { kind: 'list' } })
  say(app, `'${name}' is gone, or no longer shared with you`, 'error')
}

async function fetchPage(app: App, slot: Slot, place: Place, want: Want): Promise<void> {
  const { id } = place.listing
  asked.add(id)
  try {
    const answer = await readPage(app.call, place.source, want)
    const state = app.store.get()
    const now = slot.read(state)
    if (now?.listing.id !== id) return
    const { path = now.path, breadcrumbs = now.breadcrumbs, folder } = answer
    const listing = putPage(now.listing, want, answer)
    const shown = { ...now, listing, path, breadcrumbs, folder }
    app.store.set(slot.write(state, focusLoaded(shown, slot.rows(state), slot.extra)))
  } catch (error) {
    if (app.server.signal.aborted) return
    failed.add(id)
    if (slot.read(app.store.get())?.listing.id !== id) return
    if (slot === mainSlot && isGone(error) && place.folder?.root) leaveGone(app, place.folder.root, place.folder.name)
    else say(app, `${sentenceOf(app, error)} · R tries again`, 'error')
  } finally {
    asked.delete(id)
  }
}

function loadSlot(app: App, slot: Slot): void {
  const state = app.store.get()
  const place = slot.read(state)
  if (place === undefined || asked.has(place.listing.id) || failed.has(place.listing.id)) return
  const want = missingPage(place.listing, place.top - ahead, place.top + slot.rows(state) + ahead)
  if (want === undefined) return
  void fetchPage(app, slot, place, want).then(() => loadSlot(app, slot))
}

/** Loads the visible pages that are missing. Called after every change. */
export function loadMissing(app: App): void {
  loadSlot(app, mainSlot)
  loadSlot(app, pickerSlot)
}

/**
 * Reads the visible page again; the old one stays until the answer arrives. Moves the cursor to `focusId`, if given.
 */
export async function refresh(app: App, focusId?: number): Promise<void> {
  const { place } = app.store.get()
  failed.delete(place.listing.id)
  app.store.set({ place: { ...place, focusId } })
  await fetchPage(app, mainSlot, place, pageAgain(place.listing, place.cursor))
}

/** Reads the list again from its start, as after a change of order. */
export function reload(app: App, place: Place): void {
  app.store.set({ place: { ...place, listing: emptyListing(place.listing.tailable) } })
}

/** Lets lists load again that have failed. */
export function allowRetry(app: App): void {
  failed.clear()
  void attempt(app, async () => loadMissing(app))
}
