/** tags and file_tags: each user's tags, and the files that have them. */
import { model } from './model.ts'

interface TagRow {
  id: number
  owner_id: number
  name: string
  /** #RRGGBB */
  color: string
}

interface FileTagRow {
  tag_id: number
  file_id: number
}

export const tags = model<TagRow, Omit<TagRow, 'id'>>('tags')

export const fileTags = model<FileTagRow>('file_tags')
