/** The list of folders from which the person picks one, in the own tree or in another place. */
import { createFolder } from '../../src/api/files.ts'
import { placeName } from '../../src/api/places.ts'
import { rightsIn } from '../../src/api/rights.ts'
import { shownPath } from '../places.ts'
import { type App, say, sentenceOf } from './app.ts'
import { moveTo } from './cursor.ts'
import { dialogRows } from './layout.ts'
import { entryAt, lengthOf } from './listing.ts'
import type { Picker } from './modes.ts'
import { openPlace, type Place } from './place.ts'
import { ask, backToList } from './prompting.ts'
import { refusalEverywhere } from './rights.ts'
import type { State } from './state.ts'

type Question = Pick<Picker, 'verb' | 'excluded' | 'refusalOf' | 'noteOf' | 'choose'>

const pickerPlace = (parentId: number | null, path: string, focusId?: number): Place => ({
  ...openPlace({ kind: 'folder', parentId, sort: 'name', reverse: false, foldersOnly: true }, focusId),
  path,
})

/** The picker begins in the folder on screen, or in the root where that cannot be changed. */
function startOf({ place }: State): Place {
  const { source, folder, path } = place
  if (source.kind !== 'folder' || folder?.may.change === false) return pickerPlace(null, '/')
  return pickerPlace(source.parentId, path)
}

export function openPicker(app: App, question: Question): void {
  const place = startOf(app.store.get())
  app.store.set({ mode: { kind: 'picker', place, busy: false, error: undefined, ...question }, message: undefined })
}

function update(app: App, change: Partial<Picker>): void {
  const { mode } = app.store.get()
  if (mode.kind === 'picker') app.store.set({ mode: { ...mode, error: undefined, ...change } })
}

/** Whether the same picker is still open. */
const isOpen = (app: App, picker: Picker): boolean => {
  const { mode } = app.store.get()
  return mode.kind === 'picker' && mode.choose === picker.choose
}

/** Why the shown folder cannot be chosen; undefined if it can, or is not known yet. */
export function refusalOfShown({ place, refusalOf }: Picker): string | undefined {
  const { source, folder } = place
  return source.kind === 'folder' && folder !== undefined ? refusalOf(folder, source.parentId) : undefined
}

/** Waits until the shown folder has been read, before which nobody knows whether it can be chosen. */
const untilRead = (app: App, picker: Picker): Promise<Picker | undefined> =>
  new Promise(resolve => {
    const look = () => {
      const { mode } = app.store.get()
      const isLeft = mode.kind !== 'picker' || mode.choose !== picker.choose
      if (!isLeft && mode.place.folder === undefined) return
      stop()
      resolve(isLeft ? undefined : mode)
    }
    const stop = app.store.subscribe(look)
    look()
  })

async function choose(app: App, picker: Picker): Promise<void> {
  const { source, path } = picker.place
  if (source.kind !== 'folder') return update(app, { place: pickerPlace(null, '/') })
  update(app, { busy: true })
  const read = await untilRead(app, picker)
  if (read === undefined) return
  const refusal = refusalOfShown(read)
  if (refusal !== undefined) return update(app, { busy: false, error: refusal })
  try {
    await picker.choose(source.parentId, path)
    if (isOpen(app, picker)) backToList(app)
  } catch (error) {
    if (isOpen(app, picker) && !app.server.signal.aborted) update(app, { busy: false, error: sentenceOf(app, error) })
  }
}

/** Whether there is anything besides the own tree. A key for one folder has only that. */
const hasPlaces = ({ isFolderKey }: State): boolean => !isFolderKey

function pickerUp(app: App, { place }: Picker) {
  const { source, breadcrumbs, folder } = place
  // The folder above is known only once the list is loaded.
  if (source.kind !== 'folder' || folder === undefined) return
  const above = breadcrumbs.at(-2)
  const isRoot = source.parentId === null || (above === undefined && folder.root?.id === source.parentId)
  if (!isRoot && source.parentId !== null)
    return update(app, { place: pickerPlace(above?.id ?? null, above?.path ?? '/', source.parentId) })
  if (hasPlaces(app.store.get())) update(app, { place: openPlace({ kind: 'places' }, source.parentId ?? undefined) })
}

function pickerOpen(app: App, { place, excluded }: Picker) {
  const folder = entryAt(place.listing, place.cursor - 1)
  if (folder === undefined) return
  if (excluded.has(folder.id)) return update(app, { error: 'A folder cannot be put into itself.' })
  update(app, { place: pickerPlace(folder.id, shownPath(folder)) })
}

function pickerMove(app: App, { place }: Picker, rows: number): void {
  update(app, { place: moveTo(place, place.cursor + rows, dialogRows(app.store.get()), 1) })
}

/** Asks for the name of a new folder in the shown one, and opens it. */
function askNewFolder(app: App, picker: Picker) {
  const { source, folder } = picker.place
  if (source.kind !== 'folder') return update(app, { error: 'Choose one of these places.' })
  const state = app.store.get()
  const isAllowed = rightsIn(state.user.permissions, folder?.may ?? null).makeFolder
  const refusal = refusalEverywhere(state, 'makeFolder') ?? (isAllowed ? undefined : 'You may make no folder in here.')
  if (refusal !== undefined) return update(app, { error: refusal })
  let place = picker.place
  const back = () => app.store.set({ mode: { ...picker, place, error: undefined } })
  ask(app, {
    label: `New folder in ${placeName(folder?.root ?? null)}`,
    submit: async name => {
      const { file } = await app.call(createFolder, { name, parent_id: source.parentId })
      place = pickerPlace(file.id, shownPath(file))
      say(app, 'Created')
    },
    next: back,
    cancel: back,
  })
}

export function takePickerKey(app: App, picker: Picker, key: string) {
  const page = dialogRows(app.store.get()) - 1
  const moves: Readonly<Record<string, number>> = {
    up: -1,
    k: -1,
    down: 1,
    j: 1,
    pageup: -page,
    pagedown: page,
    g: -picker.place.cursor,
    home: -picker.place.cursor,
    G: lengthOf(picker.place.listing),
    end: lengthOf(picker.place.listing),
  }
  const move = moves[key]
  if (key === 'escape' || key === 'q') return backToList(app)
  if (picker.busy) return
  if (move !== undefined) return pickerMove(app, picker, move)
  if (key === 'n') return askNewFolder(app, picker)
  if (key === 'backspace' || key === 'left' || key === 'h') return pickerUp(app, picker)
  if (key === 'return' && picker.place.cursor === 0) return void choose(app, picker)
  if (key === 'return' || key === 'right' || key === 'l') return pickerOpen(app, picker)
}
