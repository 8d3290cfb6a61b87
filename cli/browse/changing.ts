/** Actions that change items: new folder, rename, favorite, delete, restore, decisions. */
import { createFolder, favoriteFile, renameFile } from '../../src/api/files.ts'
import { splitName } from '../../src/api/names.ts'
import { emptyTrash } from '../../src/api/trash.ts'
import { exitOf } from '../../terminal/exit.ts'
import { countOf } from '../../terminal/format.ts'
import { visible } from '../../terminal/visible.ts'
import { shownPath } from '../places.ts'
import { deleteForGood, moveToTrash, restoreItem } from '../trashing.ts'
import { type App, attemptBusy, say, sentenceOf } from './app.ts'
import { chosenEntries, currentEntry, moveTo } from './cursor.ts'
import { listRows } from './layout.ts'
import { lineOf } from './line-editor.ts'
import { changeEntries, type Entry, rowId } from './listing.ts'
import { refresh } from './loading.ts'
import { type Source, viewOf } from './place.ts'
import { readQuota } from './profile.ts'
import { ask, confirm } from './prompting.ts'
import { quoteName } from './text.ts'

/** Names entries in a message: `'a.txt'`, or `3 items`. */
export function nameEntries(entries: readonly Entry[]): string {
  const [only, ...others] = entries
  return only !== undefined && others.length === 0 ? quoteName(only) : countOf(entries.length, 'item')
}

/** Removes rows from the list, so that it need not be read again. */
export function dropEntries(app: App, ids: ReadonlySet<number>): void {
  const state = app.store.get()
  const listing = changeEntries(state.place.listing, entry => (ids.has(rowId(entry)) ? undefined : entry))
  const selection = new Map([...state.selection].filter(([id]) => !ids.has(id)))
  app.store.set({ place: moveTo({ ...state.place, listing }, state.place.cursor, listRows(state)), selection })
}

function putEntry(app: App, changed: Entry): void {
  const { place } = app.store.get()
  const listing = changeEntries(place.listing, entry => (entry.id === changed.id ? { ...entry, ...changed } : entry))
  app.store.set({ place: { ...place, listing } })
}

/** Selects only these entries, unless another list is shown by now: its selection does not belong to the action. */
export function selectHere(app: App, source: Source, entries: readonly Entry[]): void {
  if (app.store.get().place.source !== source) return
  app.store.set({ selection: new Map(entries.map(entry => [rowId(entry), entry])) })
}

/**
 * Does `work` for one entry after the other. All are tried, `done` gets those that succeeded, and those that failed
 * stay selected. Throws only if none succeeded, so that a question can stay open for another try.
 */
export async function forEach(
  app: App,
  entries: readonly Entry[],
  work: (entry: Entry) => Promise<void>,
  done: (entries: readonly Entry[]) => void,
): Promise<void> {
  const { source } = app.store.get().place
  const finished: Entry[] = []
  const failed: Entry[] = []
  let reason: unknown
  let isAway = false
  for (const entry of entries) {
    // If the server is unreachable, the remaining entries would fail too.
    if (isAway) {
      failed.push(entry)
      continue
    }
    try {
      await work(entry)
      finished.push(entry)
    } catch (error) {
      app.server.signal.throwIfAborted()
      reason ??= error
      isAway = exitOf(error) === 'unreachable'
      failed.push(entry)
    }
  }
  if (finished.length > 0) done(finished)
  if (failed.length === 0) return
  if (finished.length === 0) throw reason
  selectHere(app, source, failed)
  say(app, `${failed.length} of ${countOf(entries.length, 'item')} failed: ${sentenceOf(app, reason)}`, 'error')
}

/** Reads the list again, unless another list is shown by now. */
export async function refreshHere(app: App, source: Source, focusId?: number): Promise<void> {
  if (app.store.get().place.source === source) await refresh(app, focusId)
}

export function askFolderName(app: App) {
  const { source } = app.store.get().place
  if (source.kind !== 'folder') return say(app, 'A new folder needs a folder to stand in · 1 shows the files', 'error')
  ask(app, {
    label: 'New folder',
    submit: async name => {
      const { file } = await app.call(createFolder, { name, parent_id: source.parentId })
      await refreshHere(app, source, file.id)
      say(app, `Created '${visible(file.name)}'`)
    },
  })
}

export function askNewName(app: App): void {
  const state = app.store.get()
  const entry = currentEntry(state)
  if (entry === undefined) return
  const { source } = state.place
  const { stem } = splitName(entry.name, entry.is_directory)
  ask(app, {
    label: 'Rename to',
    // Put the caret before the extension, where names are changed most often.
    line: lineOf(entry.name, stem.length),
    submit: async name => {
      const { file } = await app.call(renameFile, { id: entry.id, name })
      putEntry(app, file)
      await refreshHere(app, source, file.id)
      say(app, `Renamed to '${visible(file.name)}'`)
    },
  })
}

export async function toggleFavorite(app: App): Promise<void> {
  const entries = chosenEntries(app.store.get())
  const wanted = !entries.every(entry => entry.is_favorite)
  await attemptBusy(app, 'Saving', async () => {
    await forEach(
      app,
      entries.filter(entry => entry.is_favorite !== wanted),
      async entry => {
        const { file } = await app.call(favoriteFile, { id: entry.id, is_favorite: wanted })
        putEntry(app, file)
      },
      done => say(app, `${nameEntries(done)} ${wanted ? 'added to' : 'removed from'} favorites`),
    )
  })
}

/** Where the trash with the entries is shown, as far as the user may see it. */
function trashHint(entries: readonly Entry[]): string {
  if (entries.every(({ place }) => place === null)) return ' · 6 shows it'
  return entries.every(({ place }) => place?.kind === 'team') ? ' · T shows it' : ''
}

async function removeAll(app: App, entries: readonly Entry[], forGood: boolean): Promise<void> {
  await attemptBusy(app, 'Deleting', async () => {
    await forEach(
      app,
      entries,
      async ({ id }) => {
        await (forGood ? deleteForGood : moveToTrash)(app.call, id)
        dropEntries(app, new Set([id]))
      },
      done => {
        const what = `${nameEntries(done)} ${done.length === 1 ? 'was' : 'were'}`
        say(app, forGood ? `${what} permanently deleted` : `${what} moved to the trash${trashHint(done)}`)
      },
    )
  })
  await readQuota(app)
}

/** Asks, then moves the entries to the trash, or deletes them permanently if they are in it. */
export function askDelete(app: App): void {
  const state = app.store.get()
  const entries = chosenEntries(state)
  if (entries.length === 0) return
  const forGood = viewOf(state.place) === 'trash'
  const others = entries.some(entry => entry.is_shared) ? ', also for those with whom it is shared' : ''
  const question = forGood
    ? `Delete ${nameEntries(entries)} permanently${others}? This cannot be undone.`
    : `Move ${nameEntries(entries)} to the trash${others}?`
  confirm(app, question, () => removeAll(app, entries, forGood))
}

/** Asks, then empties the trash on screen: the own one, or that of a team folder. */
export function askEmptyTrash(app: App): void {
  const { source } = app.store.get().place
  const team = source.kind === 'trash' ? source.team : null
  const name = team === null ? 'the trash' : `the trash of ${quoteName(team)}`
  confirm(app, `Empty ${name}? This cannot be undone.`, async () => {
    await attemptBusy(app, 'Deleting', async () => {
      const { deleted } = await app.call(emptyTrash, team === null ? {} : { folder_id: team.folder_id })
      selectHere(app, source, [])
      await refreshHere(app, source)
      say(app, `${countOf(deleted, 'item')} permanently deleted`)
    })
    await readQuota(app)
  })
}

export async function restoreChosen(app: App): Promise<void> {
  const entries = chosenEntries(app.store.get())
  await attemptBusy(app, 'Restoring', async () => {
    let path = ''
    await forEach(
      app,
      entries,
      async ({ id }) => {
        path = shownPath(await restoreItem(app.call, id))
        dropEntries(app, new Set([id]))
      },
      done => say(app, done.length === 1 ? `Restored to ${visible(path)}` : `Restored ${nameEntries(done)}`),
    )
  })
}
