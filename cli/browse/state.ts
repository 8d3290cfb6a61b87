/** All that the browser shows; everything on the screen is made from this. */
import type { Profile } from '../../src/api/auth.ts'
import type { SortKey } from '../../src/api/files.ts'
import type { Breadcrumb, FileDetails } from '../../src/api/items.ts'
import type { Tag } from '../../src/api/tags.ts'
import type { Line } from './line-editor.ts'
import { type Entry, emptyListing, type Listing } from './listing.ts'

export type View = 'files' | 'favorites' | 'trash' | 'pending'

/** What a list is of. `parentId` null is the root. */
export type Source =
  | { kind: 'folder'; parentId: number | null; sort: SortKey; reverse: boolean; foldersOnly: boolean }
  | { kind: 'search'; text: string }
  | { kind: 'favorites' | 'trash' | 'pending' }

/** A list with a cursor in it. */
export interface Place {
  source: Source
  listing: Listing
  /** Index of the row under the cursor, and of the first row in view. */
  cursor: number
  top: number
  /** The item that the cursor goes to when it is loaded. */
  focusId: number | undefined
  path: string
  breadcrumbs: readonly Breadcrumb[]
}

export interface Message {
  text: string
  tone: 'info' | 'error'
}

/** What is on its way; sizes in bytes. */
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
  /** What the text could go on to, when it is not one thing alone. */
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
  /** Does what was asked for. Its failure is shown and the line stays for another try. */
  submit: (text: string) => Promise<void>
  complete?: (text: string) => Promise<Completed>
  /** Called with every change of the text. */
  change?: (text: string) => void
  cancel?: () => void
  /** What comes when it is done, if the person has not left it meanwhile. */
  next?: () => void
}

/** A question that is answered with y or n. */
interface Confirmation {
  kind: 'confirm'
  question: string
  yes: () => Promise<void>
}

/** Choosing a folder of the server. Row 0 is the folder itself. */
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

/** What can be shown of a file's content: its first lines, the pixels of an image, or why there is nothing. */
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
  /** The view that one came by: a folder opened from the favourites is still among these. */
  tab: View
  place: Place
  /** The folders above, as they were left, the nearest last. */
  trail: readonly Place[]
  /** Where the files were left for another view. */
  parked: { place: Place; trail: readonly Place[] } | undefined
  sort: SortKey
  reverse: boolean
  selection: ReadonlyMap<number, Entry>
  mode: Mode
  message: Message | undefined
  /** A call is under way; the text says which. */
  busy: string | undefined
  transfers: readonly Transfer[]
}

/** A list before its first page has come. */
export const openPlace = (source: Source, focusId?: number): Place => ({
  source,
  listing: emptyListing(source.kind === 'folder' && !source.foldersOnly),
  cursor: 0,
  top: 0,
  focusId,
  path: source.kind === 'folder' && source.parentId === null ? '/' : '',
  breadcrumbs: [],
})

/** What kind of list it is; folders and search results are files. */
export const viewOf = ({ source }: Place): View =>
  source.kind === 'folder' || source.kind === 'search' ? 'files' : source.kind
