/** spaces: a tree of files with its quota. Every user has one personal space. */
import type { Model, ModelStatic, Sequelize } from 'sequelize'
import * as column from './columns.ts'

interface SpaceRow {
  id: number
  kind: 'personal'
  owner_id: number
  /** Bytes of all files, live and trashed. */
  storage_used: number
  storage_quota: number
  /** Files and folders, live and trashed. */
  item_count: number
  /** Goes up with every change of what a listing of the space shows. */
  revision: number
}

export type SpaceModel = ModelStatic<Model<SpaceRow, Pick<SpaceRow, 'kind' | 'owner_id' | 'storage_quota'>>>

export const defineSpaces = (sequelize: Sequelize): SpaceModel =>
  sequelize.define('spaces', {
    id: column.id(),
    kind: column.text(),
    owner_id: column.whole(),
    storage_used: { ...column.whole(), defaultValue: 0 },
    storage_quota: column.whole(),
    item_count: { ...column.whole(), defaultValue: 0 },
    revision: { ...column.whole(), defaultValue: 0 },
  })
