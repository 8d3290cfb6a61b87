/** Keeps the state and notifies watchers of each change. */
import type { State } from './state.ts'

export interface Store {
  get(): State
  /** Replaces some fields. */
  set(change: Partial<State>): void
  /** Calls `watcher` after every change. Call the result to stop. */
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
