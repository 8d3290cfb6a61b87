/** The whole state of the browser. Everything on the screen is made from it. */
import type { Profile } from '../../src/api/auth.ts'
import type { SortKey } from '../../src/api/files.ts'
import type { Space } from '../../src/api/spaces.ts'
import type { Entry } from './listing.ts'
import type { Mode } from './modes.ts'
import type { Place, View } from './place.ts'

export interface Message {
  text: string
  /** A refusal is why a key does nothing; it goes with the next key. */
  tone: 'info' | 'error' | 'refusal'
}

/** A running transfer. Sizes are in bytes. */
export interface Transfer {
  id: number
  direction: 'upload' | 'download'
  label: string
  done: number
  total: number | undefined
  startedAt: number
}

export interface State {
  columns: number
  rows: number
  server: string
  user: Profile
  /** The team folders of the user. */
  teams: readonly Space[]
  /** Whether the key is for one folder, so that there are no other views. */
  isFolderKey: boolean
  /** The view that the person chose: a folder opened from the favorites still belongs to the favorites. */
  tab: View
  place: Place
  /** The places before this one, as they were left; the latest is last. */
  trail: readonly Place[]
  /** Where the person left the files for another view. */
  parked: { place: Place; trail: readonly Place[] } | undefined
  sort: SortKey
  reverse: boolean
  selection: ReadonlyMap<number, Entry>
  mode: Mode
  message: Message | undefined
  /** Names the call that is running, if any. */
  busy: string | undefined
  transfers: readonly Transfer[]
}
