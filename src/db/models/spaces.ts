/** spaces: each a tree of files with a quota. Every user has one personal space. */
import { model } from './model.ts'

export interface SpaceRow {
  id: number
  kind: 'personal'
  owner_id: number
  /** Bytes of all files, live and trashed. */
  storage_used: number
  storage_quota: number
  /** Files and folders, live and trashed. */
  item_count: number
  /** Increases with every change of what a listing of the space shows. */
  revision: number
}

export const spaces = model<SpaceRow, Pick<SpaceRow, 'kind' | 'owner_id' | 'storage_quota'>>('spaces', {
  storage_used: 0,
  item_count: 0,
  revision: 0,
})
