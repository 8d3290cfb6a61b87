/** Adds tags to files and removes them. */
import { createTag, listTags, type Tag, tagFiles, untagFiles } from '../../src/api/tags.ts'
import { visible } from '../../terminal/visible.ts'
import { type App, attempt, say } from './app.ts'
import { nameEntries } from './changing.ts'
import { chosenEntries } from './cursor.ts'
import { changeEntries, type Entry } from './listing.ts'
import type { TagChooser } from './modes.ts'
import { enter } from './navigation.ts'
import { openPlace } from './place.ts'
import { ask, backToList } from './prompting.ts'

/** The colour of a new tag, which can be changed in the web interface. */
const newTagColor = '#3B82F6'

function update(app: App, change: Partial<TagChooser>): void {
  const { mode } = app.store.get()
  if (mode.kind === 'tags') app.store.set({ mode: { ...mode, ...change } })
}

async function showTags(app: App, entries: readonly Entry[]): Promise<void> {
  app.store.set({ mode: { kind: 'tags', entries, tags: undefined, cursor: 0 }, message: undefined })
  try {
    const { tags } = await app.call(listTags, {})
    update(app, { tags })
  } catch (error) {
    if (app.store.get().mode.kind === 'tags') backToList(app)
    throw error
  }
}

/** Opens the list of tags for the chosen files. Folders cannot have tags. */
export function openTags(app: App) {
  const entries = chosenEntries(app.store.get()).filter(entry => !entry.is_directory)
  if (entries.length === 0) return say(app, 'Tags are for files', 'error')
  void attempt(app, () => showTags(app, entries))
}

const hasTag = (entry: Entry, { id }: Tag): boolean => entry.tags.some(tag => tag.id === id)

/** Whether none, some or all of the files have a tag. */
export function coverage({ entries }: TagChooser, tag: Tag): 'none' | 'some' | 'all' {
  const count = entries.filter(entry => hasTag(entry, tag)).length
  if (count === 0) return 'none'
  return count === entries.length ? 'all' : 'some'
}

async function turnTag(app: App, chooser: TagChooser, tag: Tag): Promise<void> {
  const on = coverage(chooser, tag) !== 'all'
  const ids = new Set(chooser.entries.map(entry => entry.id))
  await app.call(on ? tagFiles : untagFiles, { tag_id: tag.id, file_ids: [...ids] })
  const turn = (entry: Entry): Entry => {
    if (!ids.has(entry.id)) return entry
    const others = entry.tags.filter(other => other.id !== tag.id)
    return { ...entry, tags: on ? [...others, { id: tag.id, name: tag.name, color: tag.color }] : others }
  }
  const { place, selection } = app.store.get()
  app.store.set({
    place: { ...place, listing: changeEntries(place.listing, turn) },
    selection: new Map([...selection].map(([id, entry]) => [id, turn(entry)])),
  })
  update(app, { entries: chooser.entries.map(turn) })
  say(app, `${nameEntries(chooser.entries)} ${on ? 'tagged' : 'no longer tagged'} '${visible(tag.name)}'`)
}

function askTagName(app: App, { entries }: TagChooser): void {
  const again = () => void attempt(app, () => showTags(app, entries))
  ask(app, {
    label: 'New tag',
    submit: async name => {
      await app.call(createTag, { name, color: newTagColor })
    },
    next: again,
    cancel: again,
  })
}

export function takeTagKey(app: App, chooser: TagChooser, key: string) {
  const tags = chooser.tags ?? []
  const move = (by: number) => update(app, { cursor: Math.max(0, Math.min(tags.length - 1, chooser.cursor + by)) })
  if (key === 'up' || key === 'k') return move(-1)
  if (key === 'down' || key === 'j') return move(1)
  if (key === 'n') return askTagName(app, chooser)
  if (key === 'escape' || key === 'q' || key === 't') return backToList(app)
  const tag = tags[chooser.cursor]
  if (tag !== undefined && key === 'o') return enter(app, openPlace({ kind: 'tag', id: tag.id, name: tag.name }))
  if (tag !== undefined && (key === 'space' || key === 'return')) {
    void attempt(app, () => turnTag(app, chooser, tag))
  }
}
