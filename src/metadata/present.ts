/** Builds the API form of metadata fields: only what is listed here leaves the server. */
import { fieldTypes, type MetadataField } from '../api/metadata.ts'
import { isoTime } from '../base/iso-time.ts'
import { fieldOptions, type MetadataFieldRow } from '../db/models/metadata.ts'
import { readStored } from '../db/stored-json.ts'

/** The choices of a select field; null for other types. */
export const optionsOf = (row: MetadataFieldRow): string[] | null =>
  row.options === null ? null : readStored(fieldOptions, row.options, `metadata_fields ${row.id}`)

export const presentField = (row: MetadataFieldRow): MetadataField => ({
  id: row.id,
  name: row.name,
  label: row.label,
  description: row.description,
  field_type: fieldTypes.includes(row.field_type) ? row.field_type : 'text',
  options: optionsOf(row),
  is_required: row.is_required === 1,
  is_enabled: row.is_enabled === 1,
  created_at: isoTime(row.created_at),
})
