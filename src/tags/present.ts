/** Builds the API form of tags: only fields listed here leave the server. */
import type { Tag } from '../api/tags.ts'
import type { CountedTagRow } from './find.ts'

export const presentTag = (row: CountedTagRow): Tag => ({
  id: row.id,
  name: row.name,
  color: row.color,
  file_count: row.file_count,
})
