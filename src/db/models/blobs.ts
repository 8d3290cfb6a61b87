/** blobs: content, once for each SHA-256; the bytes of what is small stand in blob_bytes, which has no model. */
import type { Model, ModelStatic, Sequelize } from 'sequelize'
import * as column from './columns.ts'

interface BlobRow {
  id: number
  /** Random, never derived from a name; where the bytes lie in the store. */
  key: string
  /** `inline`: in blob_bytes; `store`: in the blob store. Never inferred from the size. */
  place: 'inline' | 'store'
  size: number
  /** Hex. */
  sha256: string
  created_at: number
}

export type BlobModel = ModelStatic<Model<BlobRow, Omit<BlobRow, 'id'>>>

export const defineBlobs = (sequelize: Sequelize): BlobModel =>
  sequelize.define('blobs', {
    id: column.id(),
    key: column.text(),
    place: column.text(),
    size: column.whole(),
    sha256: column.text(),
    created_at: column.whole(),
  })
