/** metadata_fields and file_metadata: the fields that uploads ask for, and the values of files. */
import * as z from 'zod/mini'
import type { FieldType } from '../../api/metadata.ts'
import type { StoredForm } from '../stored-json.ts'
import type { Flag } from './columns.ts'
import { model } from './model.ts'

export interface MetadataFieldRow {
  id: number
  name: string
  label: string
  description: string | null
  field_type: FieldType
  /** JSON list of a select field's choices. */
  options: string | null
  is_required: Flag
  is_enabled: Flag
  created_at: number
}

interface FileMetadataRow {
  file_id: number
  field_id: number
  value: string
  /** fold(value), for search. */
  value_folded: string
}

/** The form of a select field's `options`. */
export const fieldOptions: StoredForm<string[]> = { schema: z.array(z.string()), otherwise: [] }

export const metadataFields = model<MetadataFieldRow, Omit<MetadataFieldRow, 'id'>>('metadata_fields')

export const fileMetadata = model<FileMetadataRow>('file_metadata')
