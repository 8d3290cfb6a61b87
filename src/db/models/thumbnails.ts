/** space_thumbnails: one thumbnail for each content in each space. */
import { model } from './model.ts'

interface ThumbnailRow {
  id: number
  blob_id: number
  space_id: number
  /** The bytes' place in the store, unless they are in `bytes`; null if the content cannot have a thumbnail. */
  key: string | null
  size: number
  /** Null if they are in the store. */
  bytes: Buffer | null
  /** The file for which it was drawn, which may be gone; null if that is not known. */
  drawn_for: number | null
}

export const thumbnails = model<ThumbnailRow, Omit<ThumbnailRow, 'id'>>('space_thumbnails')
