/** blobs and blob_bytes: each content once, by its SHA-256. Small contents are stored in the database. */
import { model } from './model.ts'

interface BlobRow {
  id: number
  /** The content's place in the store. It is random, never derived from a name. */
  key: string
  /** `inline`: in blob_bytes; `store`: in the blob store. Never infer it from the size. */
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

export const blobs = model<BlobRow, Omit<BlobRow, 'id'>>('blobs')

export const blobBytes = model<BlobBytesRow>('blob_bytes')
