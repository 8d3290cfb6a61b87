/** What a key of the lists is, and where it works. */
import type { App } from './app.ts'
import { lengthOf } from './listing.ts'
import type { Source, View } from './place.ts'
import type { Act } from './rights.ts'
import type { State } from './state.ts'

export interface KeyEntry {
  /** Names of the keys as in keyboard.ts. */
  keys: readonly string[]
  /** The keys as people know them. */
  label: string
  does: string
  /** One or two words for the footer; absent if there is no room for it. */
  hint?: string
  /** The views in which it works; everywhere if absent. */
  views?: readonly View[]
  /** The lists of a view in which it works; all if absent. */
  lists?: readonly Source['kind'][]
  /** What the user must be allowed to do with what is chosen, or in the folder. */
  needs?: Act
  /** Whether this user has it at all; the help lists it then. */
  isFor?: (state: State) => boolean
  /** Whether it makes sense in the list on screen. */
  offered?: (state: State) => boolean
  act: (app: App) => unknown
}

export interface KeyGroup {
  title: string
  entries: readonly KeyEntry[]
}

/** Whether there is a row to act on. */
export const hasRows = ({ place }: State): boolean => lengthOf(place.listing) > 0
