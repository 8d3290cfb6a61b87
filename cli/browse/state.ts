/** The whole state of the browser. Everything on the screen is made from it. */
import type { Profile } from '../../src/api/auth.ts'
import type { SortKey } from '../../src/api/files.ts'
import type { Breadcrumb, FileDetails } from '../../src/api/items.ts'
import type { Tag } from '../../src/api/tags.ts'
import type { Line } from './line-editor.ts'
import { type Entry, emptyListing, type Listing } from './listing.ts'

export type View = 'files' | 'favorites' | 'trash' | 'pending' | 'recent'

/** What a list shows. A `parentId` of null is the root. */
export type Source =
  | { kind: 'folder'; parentId: number | null; sort: SortKey; reverse: boolean; foldersOnly: boolean }
  | { kind: 'search'; text: string }
  | { kind: 'tag'; id: number; name: string }
  | { kind: 'favorites' | 'trash' | 'pending' | 'recent' }

/** A list with a cursor in it. */
export interface Place {
  source: Source
  listing: Listing
  /** Index of the row under the cursor; `top` is that of the first visible row. */
  cursor: number
  top: number
  /** The item that the cursor moves to once it is loaded. */
  focusId: number | undefined
  path: string
  breadcrumbs: readonly Breadcrumb[]
}

export interface Message {
  text: string
  tone: 'info' | 'error'
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

export interface Completed {
  text: string
  /** The possible completions, if there are several. */
  choices: readonly string[]
}

/** A question that is answered with a line of text. */
export interface Prompt {
  kind: 'prompt'
  label: string
  hint: string
  line: Line
  error: string | undefined
  busy: boolean
  choices: readonly string[]
  /** Runs the prompt's action. If it fails, the error is shown and the line stays for another try. */
  submit: (text: string) => Promise<void>
  complete?: (text: string) => Promise<Completed>
  /** Called with every change of the text. */
  change?: (text: string) => void
  cancel?: () => void
  /** Called after a successful `submit`, unless the person has closed the prompt meanwhile. */
  next?: () => void
}

/** A question that is answered with y or n. */
interface Confirmation {
  kind: 'confirm'
  question: string
  yes: () => Promise<void>
}

/** Chooses a folder on the server. Row 0 is the current folder itself. */
export interface Picker {
  kind: 'picker'
  verb: string
  place: Place
  choose: (parentId: number | null, path: string) => Promise<void>
  busy: boolean
  error: string | undefined
}

export interface TagChooser {
  kind: 'tags'
  entries: readonly Entry[]
  tags: readonly Tag[] | undefined
  cursor: number
}

/** The preview of a file's content: its first lines, the size of an image in pixels, or why there is none. */
export type Content =
  | { kind: 'text'; lines: readonly string[]; bytes: number }
  | { kind: 'image'; width: number; height: number }
  | { kind: 'none'; reason: string }

export interface Preview {
  kind: 'preview'
  entry: Entry
  details: FileDetails | undefined
  content: Content | undefined
  top: number
}

export type Mode =
  | { kind: 'list' }
  | { kind: 'help'; top: number }
  | Prompt
  | Confirmation
  | Picker
  | TagChooser
  | Preview

export interface State {
  columns: number
  rows: number
  server: string
  user: Profile
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

/** Returns a place whose list is not loaded yet. */
export const openPlace = (source: Source, focusId?: number): Place => ({
  source,
  listing: emptyListing(source.kind === 'folder' && !source.foldersOnly),
  cursor: 0,
  top: 0,
  focusId,
  path: source.kind === 'folder' && source.parentId === null ? '/' : '',
  breadcrumbs: [],
})

/** Returns the view of a place; folders, search results and the files of a tag belong to the files. */
export const viewOf = ({ source }: Place): View =>
  source.kind === 'folder' || source.kind === 'search' || source.kind === 'tag' ? 'files' : source.kind
