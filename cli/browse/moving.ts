/** Moves and copies into a folder that the person picks, in any place. */
import { copyFile, moveFile } from '../../src/api/files.ts'
import { isPlaceRoot, isSamePlace, moveNote } from '../../src/api/places.ts'
import { visible } from '../../terminal/visible.ts'
import { type App, say } from './app.ts'
import { dropEntries, forEach, nameEntries, refreshHere, selectHere } from './changing.ts'
import { chosenEntries } from './cursor.ts'
import type { Entry } from './listing.ts'
import { refresh } from './loading.ts'
import type { Picker } from './modes.ts'
import { openPicker } from './picking.ts'
import { type FolderFacts, type Source, viewOf } from './place.ts'
import { readQuota } from './profile.ts'

const notHere = 'You may not add anything to this folder.'

/** Folders cannot be put into themselves. */
const foldersAmong = (entries: readonly Entry[]): ReadonlySet<number> =>
  new Set(entries.filter(entry => entry.is_directory).map(({ id }) => id))

function hereAlready(entries: readonly Entry[], folderId: number | null): string | undefined {
  if (!entries.every(entry => entry.parent_id === folderId && !isPlaceRoot(entry))) return undefined
  return entries.length === 1 ? 'The item is already in this folder.' : 'The items are already in this folder.'
}

/** Into another place the user needs to add only; within one, to change both folders. */
function refusalOfMove(entries: readonly Entry[], { root, may }: FolderFacts, id: number | null): string | undefined {
  const isWithin = entries.every(entry => isSamePlace(entry.place, root))
  return hereAlready(entries, id) ?? ((isWithin ? may.change : may.add) ? undefined : notHere)
}

function afterAct(app: App, source: Source, text: string): void {
  selectHere(app, source, [])
  say(app, text)
}

const originalWords = (count: number): string =>
  count === 0 ? '' : `; ${count === 1 ? 'the original is' : 'the originals are'} in the trash`

/** Moves the entries; from another place the server copies them and moves the originals to the trash there. */
const moveAll =
  (app: App, entries: readonly Entry[], source: Source): Picker['choose'] =>
  async (parentId, path) => {
    let left = 0
    await forEach(
      app,
      entries,
      async ({ id }) => {
        const { file } = await app.call(moveFile, { id, parent_id: parentId })
        if (file.id !== id) left += 1
      },
      done => {
        const { place } = app.store.get()
        const isElsewhere = place.source.kind === 'folder' && place.source.parentId !== parentId
        if (isElsewhere && place.source === source) dropEntries(app, new Set(done.map(entry => entry.id)))
        afterAct(app, source, `Moved ${nameEntries(done)} to ${visible(path)}${originalWords(left)}`)
      },
    )
    // In lists across folders the items have other paths now, and other ids after a move between places.
    if (source.kind !== 'folder') await refreshHere(app, source)
    if (left > 0) await readQuota(app)
  }

export function askMove(app: App): void {
  const { place } = app.store.get()
  const entries = chosenEntries(app.store.get())
  if (entries.length === 0) return
  openPicker(app, {
    verb: `Move ${nameEntries(entries)} to`,
    excluded: foldersAmong(entries),
    refusalOf: (folder, id) => refusalOfMove(entries, folder, id),
    noteOf: ({ root }) => moveNote(entries, root) ?? undefined,
    choose: moveAll(app, entries, place.source),
  })
}

export function askCopy(app: App): void {
  const state = app.store.get()
  const entries = chosenEntries(state)
  if (entries.length === 0) return
  const { source } = state.place
  openPicker(app, {
    verb: `Copy ${nameEntries(entries)} to`,
    excluded: foldersAmong(entries),
    refusalOf: ({ may }) => (may.add ? undefined : notHere),
    noteOf: () => undefined,
    async choose(parentId, path) {
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
    },
  })
}
