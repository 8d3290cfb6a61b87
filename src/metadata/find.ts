/** Looks up metadata fields and the values of files; only this file reads a field by id. */
import type { ItemMetadata } from '../api/items.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { MetadataFieldRow } from '../db/models/metadata.ts'
import { isOneOf } from '../db/values.ts'

const columns =
  'd.id, d.name, d.label, d.description, d.field_type, d.options, d.is_required, d.is_enabled, d.created_at'

/** All fields in order of creation, which is also their order in forms. */
export const findFields = (db: Database): Promise<MetadataFieldRow[]> =>
  db.rows<MetadataFieldRow>(`SELECT ${columns} FROM metadata_fields d ORDER BY d.id`)

/** The enabled fields, which uploads are asked for. */
export const findEnabledFields = (db: Database): Promise<MetadataFieldRow[]> =>
  db.rows<MetadataFieldRow>(`SELECT ${columns} FROM metadata_fields d WHERE d.is_enabled = 1 ORDER BY d.id`)

/** Throws `not_found`. */
export async function findField(db: Database, id: number): Promise<MetadataFieldRow> {
  const row = await db.row<MetadataFieldRow>(`SELECT ${columns} FROM metadata_fields d WHERE d.id = $1`, [id])
  if (row === undefined) throw notFound('Metadata field')
  return row
}

/** The existing fields with the given ids; on MariaDB locked until the commit, so that values can refer to them. */
export async function findFieldsById(db: Database, ids: readonly number[]): Promise<Map<number, MetadataFieldRow>> {
  if (ids.length === 0) return new Map()
  const lock = db.dialect === 'mariadb' ? 'LOCK IN SHARE MODE' : ''
  const rows = await db.rows<MetadataFieldRow>(
    `SELECT ${columns} FROM metadata_fields d WHERE ${isOneOf('d.id', ids)} ${lock}`,
    ids,
  )
  return new Map(rows.map(row => [row.id, row]))
}

/** The enabled required fields; with a file id, only those for which the file has no value. */
export const findRequiredFields = (db: Database, fileId: number | null): Promise<MetadataFieldRow[]> =>
  db.rows<MetadataFieldRow>(
    `SELECT ${columns} FROM metadata_fields d WHERE d.is_enabled = 1 AND d.is_required = 1
       AND NOT EXISTS (SELECT 1 FROM file_metadata m WHERE m.field_id = d.id AND m.file_id = $1)
     ORDER BY d.id`,
    [fileId],
  )

/** The metadata values of a file, in the order of the fields. */
export const findItemMetadata = (db: Database, fileId: number): Promise<ItemMetadata[]> =>
  db.rows<ItemMetadata>(
    `SELECT m.field_id, d.name, d.label, m.value FROM file_metadata m JOIN metadata_fields d ON d.id = m.field_id
     WHERE m.file_id = $1 ORDER BY d.id`,
    [fileId],
  )

/** Maps file ids to values by field name; a file without values has no entry. */
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
