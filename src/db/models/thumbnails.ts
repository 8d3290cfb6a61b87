/** space_thumbnails: made once for each content and space. */
import { model } from './model.ts'

interface ThumbnailRow {
  id: number
  blob_id: number
  space_id: number
  /** Where the bytes lie in the store; null where the content cannot have one. */
  key: string | null
  size: number
}

export const thumbnails = model<ThumbnailRow, Omit<ThumbnailRow, 'id'>>('space_thumbnails')
