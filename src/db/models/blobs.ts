/** blobs and blob_bytes: content, once for each SHA-256, beside its row when it is small. */
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

interface BlobBytesRow {
  blob_id: number
  bytes: Buffer
}

export type BlobModel = ModelStatic<Model<BlobRow, Omit<BlobRow, 'id'>>>
export type BlobBytesModel = ModelStatic<Model<BlobBytesRow, BlobBytesRow>>

export const defineBlobs = (sequelize: Sequelize): BlobModel =>
  sequelize.define('blobs', {
    id: column.id(),
    key: column.text(),
    place: column.text(),
    size: column.whole(),
    sha256: column.text(),
    created_at: column.whole(),
  })

export const defineBlobBytes = (sequelize: Sequelize): BlobBytesModel =>
  sequelize.define('blob_bytes', {
    blob_id: { ...column.whole(), primaryKey: true },
    bytes: column.bytes(),
  })
