/** The tree as a flat list of rows: every visible folder, and placeholders for those still loading. */
import type { FileItem, Place, PlaceAbilities } from '../../../../src/api/items.ts'
import { type Destination, home, nothingYet } from '../../../items/destination.ts'
import type { Subfolders } from '../../../lib/data/subfolders.ts'
import type { FolderId } from './open-folders.ts'

export interface FolderRow extends Destination {
  kind: 'folder'
  /** Null for a root. */
  item: FileItem | null
  /** 0 for a root. */
  depth: number
  /** The ids of its parent folders. */
  ancestors: readonly number[]
  isOpen: boolean
  /** Whether it has sub-folders. */
  canOpen: boolean
  /** Its position from 1, and the number of siblings. */
  position: number
  siblings: number
}

/** Stands for sub-folders: while they load, when that failed, where the next page begins, and where Home has none. */
export interface StandIn {
  kind: 'waiting' | 'failed' | 'more' | 'none'
  parentId: FolderId
  depth: number
}

export type TreeRow = FolderRow | StandIn

/** A place whose folders the tree shows beside those of the own tree; `may` is null until it is known. */
export interface TreePlace extends Place {
  may: PlaceAbilities | null
}

interface Tree {
  /** The places below Home. */
  places: readonly TreePlace[]
  open: ReadonlySet<FolderId>
  subfoldersOf: (id: FolderId) => Subfolders | undefined
  hasFailed: (id: FolderId) => boolean
}

/** Placeholders while the first folders load. */
const firstWaiting = 6

export function rowsOf(tree: Tree): TreeRow[] {
  const rows: TreeRow[] = []
  const roots: Destination[] = [home, ...tree.places.map(rootOf)]
  for (const [index, root] of roots.entries()) {
    const { id } = root
    const canOpen = tree.subfoldersOf(id)?.total !== 0
    const isOpen = canOpen && tree.open.has(id)
    const place = { depth: 0, ancestors: [], position: index + 1, siblings: roots.length }
    rows.push({ kind: 'folder', ...root, item: null, isOpen, canOpen, ...place })
    if (isOpen) addInside(rows, tree, id, id === null ? [] : [id], 1)
    if (id === null && !canOpen) rows.push({ kind: 'none', parentId: null, depth: 1 })
  }
  return rows
}

function rootOf({ may, ...place }: TreePlace): Destination {
  return { id: place.id, name: place.name, place, may: may ?? nothingYet }
}

function addInside(rows: TreeRow[], tree: Tree, parentId: FolderId, ancestors: readonly number[], depth: number): void {
  const known = tree.subfoldersOf(parentId)
  if (known === undefined) {
    const kind = tree.hasFailed(parentId) ? 'failed' : 'waiting'
    const amount = kind === 'waiting' && parentId === null ? firstWaiting : 1
    for (let n = 0; n < amount; n++) rows.push({ kind, parentId, depth })
    return
  }
  for (const [index, item] of known.folders.entries()) {
    const { id, name } = item
    const canOpen = known.withFolders.has(id)
    const isOpen = canOpen && tree.open.has(id)
    const position = { depth, ancestors, position: index + 1, siblings: known.total }
    rows.push({ kind: 'folder', id, name, place: item.place, may: item.may, item, isOpen, canOpen, ...position })
    if (isOpen) addInside(rows, tree, id, [...ancestors, id], depth + 1)
  }
  if (known.cursor !== null) rows.push({ kind: 'more', parentId, depth })
}

/** The expanded folders in the rows, as far as they are loaded. */
export const openedIn = (rows: readonly TreeRow[]): FolderId[] =>
  rows.filter(row => row.kind === 'folder').flatMap(row => (row.isOpen ? [row.id] : []))
