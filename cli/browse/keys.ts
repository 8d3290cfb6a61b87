/** Finds and runs the actions of keys in the lists. */
import { type App, say } from './app.ts'
import type { KeyEntry } from './key-entry.ts'
import { keyGroups } from './key-table.ts'
import { viewOf } from './place.ts'
import { refusalEverywhere, refusalHere } from './rights.ts'
import type { State } from './state.ts'

const allEntries = keyGroups.flatMap(group => group.entries)

/** Whether the key does something in the list on screen, whatever the user may do there. */
function worksHere(state: State, { views, lists, isFor, offered }: KeyEntry): boolean {
  const { place } = state
  if (!(views?.includes(viewOf(place)) ?? true) || !(lists?.includes(place.source.kind) ?? true)) return false
  return (isFor?.(state) ?? true) && (offered?.(state) ?? true)
}

const refusalOf = (state: State, { needs }: KeyEntry): string | undefined =>
  needs && (refusalEverywhere(state, needs) ?? refusalHere(state, needs))

/** Returns the keys that work now: in this list, with what is chosen. */
export const keysFor = (state: State): readonly KeyEntry[] =>
  allEntries.filter(entry => worksHere(state, entry) && refusalOf(state, entry) === undefined)

/** Runs the action of a key in the list, or says why the user may not. Ignores an unknown key. */
export function takeListKey(app: App, key: string) {
  const state = app.store.get()
  const entry = allEntries.find(one => one.keys.includes(key) && worksHere(state, one))
  if (entry === undefined) return
  const refusal = refusalOf(state, entry)
  if (refusal !== undefined) return say(app, refusal, 'refusal')
  if (state.message?.tone === 'refusal') app.store.set({ message: undefined })
  entry.act(app)
}
