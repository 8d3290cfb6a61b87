/** Moves and copies: the person picks a folder on the server from a list. */
import { copyFile, moveFile } from '../../src/api/files.ts'
import { visible } from '../../terminal/visible.ts'
import { type App, say, sentenceOf } from './app.ts'
import { dropEntries, forEach, nameEntries, selectHere } from './changing.ts'
import { chosenEntries, moveTo } from './cursor.ts'
import { dialogRows } from './layout.ts'
import { type Entry, entryAt, lengthOf } from './listing.ts'
import { refresh } from './loading.ts'
import { readQuota } from './profile.ts'
import { backToList } from './prompting.ts'
import { openPlace, type Picker, type Place, type Source, viewOf } from './state.ts'

const pickerPlace = (parentId: number | null, path: string, focusId?: number): Place => ({
  ...openPlace({ kind: 'folder', parentId, sort: 'name', reverse: false, foldersOnly: true }, focusId),
  path,
})

function openPicker(app: App, verb: string, choose: Picker['choose']): void {
  const { place } = app.store.get()
  const { source } = place
  const start = source.kind === 'folder' ? pickerPlace(source.parentId, place.path) : pickerPlace(null, '/')
  app.store.set({
    mode: { kind: 'picker', verb, place: start, choose, busy: false, error: undefined },
    message: undefined,
  })
}

function afterAct(app: App, source: Source, text: string): void {
  selectHere(app, source, [])
  say(app, text)
}

export function askMove(app: App): void {
  const state = app.store.get()
  const entries = chosenEntries(state)
  if (entries.length === 0) return
  const { source } = state.place
  openPicker(app, `Move ${nameEntries(entries)} to`, (parentId, path) =>
    forEach(
      app,
      entries,
      async ({ id }) => {
        await app.call(moveFile, { id, parent_id: parentId })
      },
      done => {
        const { place } = app.store.get()
        if (place.source.kind === 'folder' && place.source.parentId !== parentId) {
          dropEntries(app, new Set(done.map(entry => entry.id)))
        }
        afterAct(app, source, `Moved ${nameEntries(done)} to ${visible(path)}`)
      },
    ),
  )
}

export function askCopy(app: App): void {
  const state = app.store.get()
  const entries = chosenEntries(state)
  if (entries.length === 0) return
  const { source } = state.place
  openPicker(app, `Copy ${nameEntries(entries)} to`, async (parentId, path) => {
    let copy: Entry | undefined
    await forEach(
      app,
      entries,
      async ({ id }) => {
        copy = (await app.call(copyFile, { id, parent_id: parentId })).file
      },
      done => afterAct(app, source, `Copied ${nameEntries(done)} to ${visible(path)}`),
    )
    const { place } = app.store.get()
    if (viewOf(place) === 'files') await refresh(app, copy?.id)
    await readQuota(app)
  })
}

function update(app: App, change: Partial<Picker>): void {
  const { mode } = app.store.get()
  if (mode.kind === 'picker') app.store.set({ mode: { ...mode, ...change } })
}

/** Whether the same picker is still open. */
const isOpen = (app: App, picker: Picker): boolean => {
  const { mode } = app.store.get()
  return mode.kind === 'picker' && mode.choose === picker.choose
}

async function choose(app: App, picker: Picker): Promise<void> {
  const { source, path } = picker.place
  if (source.kind !== 'folder') return
  update(app, { busy: true, error: undefined })
  try {
    await picker.choose(source.parentId, path)
    if (isOpen(app, picker)) backToList(app)
  } catch (error) {
    if (isOpen(app, picker) && !app.server.signal.aborted) update(app, { busy: false, error: sentenceOf(app, error) })
  }
}

function pickerUp(app: App, { place }: Picker): void {
  if (place.source.kind !== 'folder' || place.source.parentId === null) return
  const above = place.breadcrumbs.at(-2)
  update(app, { place: pickerPlace(above?.id ?? null, above?.path ?? '/', place.source.parentId), error: undefined })
}

function pickerOpen(app: App, { place }: Picker): void {
  const folder = entryAt(place.listing, place.cursor - 1)
  if (folder !== undefined) update(app, { place: pickerPlace(folder.id, folder.path), error: undefined })
}

function pickerMove(app: App, { place }: Picker, rows: number): void {
  update(app, { place: moveTo(place, place.cursor + rows, dialogRows(app.store.get()), 1) })
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
  if (key === 'backspace' || key === 'left' || key === 'h') return pickerUp(app, picker)
  if (key === 'return' && picker.place.cursor === 0) return void choose(app, picker)
  if (key === 'return' || key === 'right' || key === 'l') return pickerOpen(app, picker)
}
