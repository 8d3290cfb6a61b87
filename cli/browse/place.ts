/** What a list shows, and where the cursor is in it. */
import type { SortKey } from '../../src/api/files.ts'
import type { Breadcrumb, Place as ItemPlace, PlaceAbilities } from '../../src/api/items.ts'
import type { Space } from '../../src/api/spaces.ts'
import { emptyListing, type Listing } from './listing.ts'

/** The views, in the order of the page's sections. */
export const views = ['files', 'teams', 'shared', 'favorites', 'recent', 'trash', 'pending'] as const
export type View = (typeof views)[number]

/** What a list shows. A `parentId` of null is the root. */
export type Source =
  | { kind: 'folder'; parentId: number | null; sort: SortKey; reverse: boolean; foldersOnly: boolean }
  /** `within`: the place that is searched; null for all. */
  | { kind: 'search'; text: string; within: ItemPlace | null }
  | { kind: 'tag'; id: number; name: string }
  | { kind: 'favorites' | 'pending' | 'recent' | 'teams' | 'places' | 'given' }
  | { kind: 'received'; isHidden: boolean }
  | { kind: 'trash'; team: Space | null }

/** What is known of a folder once it has been listed. */
export interface FolderFacts {
  /** The place that it lies in; null in the own tree. */
  root: ItemPlace | null
  name: string
  may: PlaceAbilities
  /** How many files of others wait here for approval; null if the user is not told. */
  held: number | null
}

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
  /** Undefined until it is loaded, and in lists that are no folder. */
  folder: FolderFacts | undefined
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
  folder: undefined,
})

/** Returns the list that a view begins with; the own tree is not among them, because it has an order. */
export function firstSource(view: Exclude<View, 'files'>): Source {
  if (view === 'shared') return { kind: 'received', isHidden: false }
  return view === 'trash' ? { kind: view, team: null } : { kind: view }
}

/** Returns the view of a place; folders, search results and the files of a tag belong to the files. */
export function viewOf({ source: { kind } }: Place): View {
  if (kind === 'received' || kind === 'given') return 'shared'
  return kind === 'folder' || kind === 'search' || kind === 'tag' || kind === 'places' ? 'files' : kind
}
