/** file_thumbnails: one thumbnail for each file that was looked at. */
import { model } from './model.ts'

interface ThumbnailRow {
  id: number
  file_id: number
  /** The content that it shows; the file may have another one by now. */
  blob_id: number
  /** The space of the file when it was drawn, whose room it takes. */
  space_id: number
  /** The bytes' place in the store, unless they are in `bytes`; null if the content cannot have a thumbnail. */
  key: string | null
  size: number
  /** Null if they are in the store. */
  bytes: Buffer | null
}

export const thumbnails = model<ThumbnailRow, Omit<ThumbnailRow, 'id'>>('file_thumbnails')
