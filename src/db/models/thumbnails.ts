/** thumbnails: made once for each content. */
import { model } from './model.ts'

interface ThumbnailRow {
  blob_id: number
  /** Where the bytes lie in the store; null where the content cannot have one. */
  key: string | null
  size: number
}

export const thumbnails = model<ThumbnailRow>('thumbnails')
