/** The tree as a flat list of rows: every visible folder, and placeholders for those still loading. */
import type { FileItem } from '../../../../src/api/items.ts'
import type { Subfolders } from '../../../lib/data/subfolders.ts'
import type { FolderId } from './open-folders.ts'

export interface FolderRow {
  kind: 'folder'
  id: FolderId
  name: string
  /** Null for Home. */
  item: FileItem | null
  /** 0 for Home. */
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

/** A placeholder for sub-folders: while they load, when that failed, and where the next page begins. */
export interface StandIn {
  kind: 'waiting' | 'failed' | 'more'
  parentId: FolderId
  depth: number
}

export type TreeRow = FolderRow | StandIn

interface Tree {
  open: ReadonlySet<FolderId>
  subfoldersOf: (id: FolderId) => Subfolders | undefined
  hasFailed: (id: FolderId) => boolean
}

/** Placeholders while the first folders load. */
const firstWaiting = 6

export function rowsOf(tree: Tree): TreeRow[] {
  const canOpen = tree.subfoldersOf(null)?.total !== 0
  const isOpen = canOpen && tree.open.has(null)
  const home = { kind: 'folder', id: null, name: 'Home', item: null, depth: 0, position: 1, siblings: 1 } as const
  const rows: TreeRow[] = [{ ...home, ancestors: [], isOpen, canOpen }]
  if (isOpen) addInside(rows, tree, null, [])
  return rows
}

function addInside(rows: TreeRow[], tree: Tree, parentId: FolderId, ancestors: readonly number[]): void {
  const depth = ancestors.length + 1
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
    const place = { depth, ancestors, position: index + 1, siblings: known.total }
    rows.push({ kind: 'folder', id, name, item, isOpen, canOpen, ...place })
    if (isOpen) addInside(rows, tree, id, [...ancestors, id])
  }
  if (known.cursor !== null) rows.push({ kind: 'more', parentId, depth })
}

/** The expanded folders in the rows, as far as they are loaded. */
export const openedIn = (rows: readonly TreeRow[]): FolderId[] =>
  rows.filter(row => row.kind === 'folder').flatMap(row => (row.isOpen ? [row.id] : []))
