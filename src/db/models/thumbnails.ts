/** space_thumbnails: one thumbnail for each content in each space. */
import { model } from './model.ts'

interface ThumbnailRow {
  id: number
  blob_id: number
  space_id: number
  /** The bytes' place in the store; null if the content cannot have a thumbnail. */
  key: string | null
  size: number
}

export const thumbnails = model<ThumbnailRow, Omit<ThumbnailRow, 'id'>>('space_thumbnails')
