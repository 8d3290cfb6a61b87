/** blobs and blob_bytes: content, once for each SHA-256, beside its row when it is small. */
import { model } from './model.ts'

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

export const blobs = model<BlobRow, Omit<BlobRow, 'id'>>('blobs')

export const blobBytes = model<BlobBytesRow>('blob_bytes')
