/** metadata_fields and file_metadata: what uploads are asked for, and what files were given. */
import type { Model, ModelStatic, Sequelize } from 'sequelize'
import type { FieldType } from '../../api/metadata.ts'
import * as column from './columns.ts'

export interface MetadataFieldRow {
  id: number
  name: string
  label: string
  description: string | null
  field_type: FieldType
  /** JSON list of a select field's choices. */
  options: string | null
  is_required: column.Flag
  is_enabled: column.Flag
  created_at: number
}

interface FileMetadataRow {
  file_id: number
  field_id: number
  value: string
  /** fold(value), for search. */
  value_folded: string
}

export type MetadataFieldModel = ModelStatic<Model<MetadataFieldRow, Omit<MetadataFieldRow, 'id'>>>
export type FileMetadataModel = ModelStatic<Model<FileMetadataRow, FileMetadataRow>>

export const defineMetadataFields = (sequelize: Sequelize): MetadataFieldModel =>
  sequelize.define('metadata_fields', {
    id: column.id(),
    name: column.text(),
    label: column.text(),
    description: column.maybeText(),
    field_type: column.text(),
    options: column.maybeText(),
    is_required: column.flag(),
    is_enabled: column.flag(),
    created_at: column.whole(),
  })

export const defineFileMetadata = (sequelize: Sequelize): FileMetadataModel =>
  sequelize.define('file_metadata', {
    file_id: { ...column.whole(), primaryKey: true },
    field_id: { ...column.whole(), primaryKey: true },
    value: column.text(),
    value_folded: column.text(),
  })
