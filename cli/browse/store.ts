/** Keeps the state and tells who watches of each change. */
import type { State } from './state.ts'

export interface Store {
  get(): State
  /** Puts some fields in place of the old. */
  set(change: Partial<State>): void
  /** Calls back after every change; the answer ends that. */
  subscribe(watcher: () => void): () => void
}

export function createStore(initial: State): Store {
  let state = initial
  const watchers = new Set<() => void>()
  return {
    get: () => state,
    set(change) {
      state = { ...state, ...change }
      for (const watcher of watchers) watcher()
    },
    subscribe(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
  }
}
