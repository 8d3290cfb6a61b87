/** spaces: each a tree of files with a quota. Every user has one personal space; a team space belongs to its managers. */
import type { Flag } from './columns.ts'
import { model } from './model.ts'

export interface SpaceRow {
  id: number
  kind: 'personal' | 'team'
  /** Of a team space one of its managers: it owns what nobody else does. */
  owner_id: number
  /** Bytes of all files, live and trashed. */
  storage_used: number
  storage_quota: number
  /** Bytes that unfinished uploads hold free. */
  storage_reserved: number
  /** Files and folders, live and trashed. */
  item_count: number
  /** Increases with every change of what a listing of the space shows. */
  revision: number
  /** Whether who may edit in a team folder may make links there. */
  editors_may_link: Flag
  /** The folder in which its items arrive at another user who gets all of them; null: nobody does. */
  transfer_folder_id: number | null
  created_at: number
}

export const spaces = model<SpaceRow, Pick<SpaceRow, 'kind' | 'owner_id' | 'storage_quota' | 'created_at'>>('spaces', {
  storage_used: 0,
  storage_reserved: 0,
  item_count: 0,
  revision: 0,
  editors_may_link: 0,
  transfer_folder_id: null,
})
