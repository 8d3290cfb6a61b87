/** tags and file_tags: each user's tags, and the files that bear them. */
import type { Model, ModelStatic, Sequelize } from 'sequelize'
import * as column from './columns.ts'

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

export type TagModel = ModelStatic<Model<TagRow, Omit<TagRow, 'id'>>>
export type FileTagModel = ModelStatic<Model<FileTagRow, FileTagRow>>

export const defineTags = (sequelize: Sequelize): TagModel =>
  sequelize.define('tags', {
    id: column.id(),
    owner_id: column.whole(),
    name: column.text(),
    color: column.text(),
  })

export const defineFileTags = (sequelize: Sequelize): FileTagModel =>
  sequelize.define('file_tags', {
    tag_id: { ...column.whole(), primaryKey: true },
    file_id: { ...column.whole(), primaryKey: true },
  })
