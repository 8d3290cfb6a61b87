/** Looks metadata fields and files' values up; the only place that reads a field by its id. */
import type { ItemMetadata } from '../api/items.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { MetadataFieldRow } from '../db/models/metadata.ts'
import { isOneOf } from '../db/values.ts'

const columns =
  'd.id, d.name, d.label, d.description, d.field_type, d.options, d.is_required, d.is_enabled, d.created_at'

/** In the order in which they were made, which is the order that forms show. */
export const findFields = (db: Database): Promise<MetadataFieldRow[]> =>
  db.rows<MetadataFieldRow>(`SELECT ${columns} FROM metadata_fields d ORDER BY d.id`)

/** Those that uploads are asked for. */
export const findEnabledFields = (db: Database): Promise<MetadataFieldRow[]> =>
  db.rows<MetadataFieldRow>(`SELECT ${columns} FROM metadata_fields d WHERE d.is_enabled = 1 ORDER BY d.id`)

/** Throws `not_found`. */
export async function findField(db: Database, id: number): Promise<MetadataFieldRow> {
  const row = await db.row<MetadataFieldRow>(`SELECT ${columns} FROM metadata_fields d WHERE d.id = $1`, [id])
  if (row === undefined) throw notFound('Metadata field')
  return row
}

/** The fields of some ids that there are; on MariaDB they stay until the commit, so that values can name them. */
export async function findFieldsById(db: Database, ids: readonly number[]): Promise<Map<number, MetadataFieldRow>> {
  if (ids.length === 0) return new Map()
  const lock = db.dialect === 'mariadb' ? 'LOCK IN SHARE MODE' : ''
  const rows = await db.rows<MetadataFieldRow>(
    `SELECT ${columns} FROM metadata_fields d WHERE ${isOneOf('d.id', ids)} ${lock}`,
    ids,
  )
  return new Map(rows.map(row => [row.id, row]))
}

/** The enabled required fields; of those, with a file's id, the ones that the file has no value for. */
export const findRequiredFields = (db: Database, fileId: number | null): Promise<MetadataFieldRow[]> =>
  db.rows<MetadataFieldRow>(
    `SELECT ${columns} FROM metadata_fields d WHERE d.is_enabled = 1 AND d.is_required = 1
       AND NOT EXISTS (SELECT 1 FROM file_metadata m WHERE m.field_id = d.id AND m.file_id = $1)
     ORDER BY d.id`,
    [fileId],
  )

/** What a file was given, in the order of the fields. */
export const findItemMetadata = (db: Database, fileId: number): Promise<ItemMetadata[]> =>
  db.rows<ItemMetadata>(
    `SELECT m.field_id, d.name, d.label, m.value FROM file_metadata m JOIN metadata_fields d ON d.id = m.field_id
     WHERE m.file_id = $1 ORDER BY d.id`,
    [fileId],
  )

/** The values of some files by the files' ids, each by its field's name; a file without values has no entry. */
export async function findValues(
  db: Database,
  fileIds: readonly number[],
): Promise<Map<number, Record<string, string>>> {
  if (fileIds.length === 0) return new Map()
  const rows = await db.rows<{ file_id: number; name: string; value: string }>(
    `SELECT m.file_id, d.name, m.value FROM file_metadata m JOIN metadata_fields d ON d.id = m.field_id
     WHERE ${isOneOf('m.file_id', fileIds)} ORDER BY m.file_id, d.id`,
    fileIds,
  )
  const found = new Map<number, Record<string, string>>()
  for (const { file_id, name, value } of rows) found.set(file_id, { ...found.get(file_id), [name]: value })
  return found
}
