/** thumbnails: made once for each content. */
import type { Model, ModelStatic, Sequelize } from 'sequelize'
import * as column from './columns.ts'

interface ThumbnailRow {
  blob_id: number
  /** Where the bytes lie in the store; null where the content cannot have one. */
  key: string | null
  size: number
}

export type ThumbnailModel = ModelStatic<Model<ThumbnailRow, ThumbnailRow>>

export const defineThumbnails = (sequelize: Sequelize): ThumbnailModel =>
  sequelize.define('thumbnails', {
    blob_id: { ...column.whole(), primaryKey: true },
    key: column.maybeText(),
    size: column.whole(),
  })
