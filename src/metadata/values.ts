/** The values of files: checking what is sent, asking for what is required, and storing it. */
import { maxMetadataBytes, metadataBytesPerChange } from '../api/limits.ts'
import type { MetadataValue } from '../api/metadata-values.ts'
import { AppError, invalidField } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { fold } from '../db/fold.ts'
import type { MetadataFieldRow } from '../db/models/metadata.ts'
import { isOneOf } from '../db/values.ts'
import type { Deps } from '../deps.ts'
import type { Switches } from '../settings/find.ts'
import { tidyValue, valueProblem } from './check.ts'
import { findFieldsById, findRequiredFields } from './find.ts'
import { optionsOf } from './present.ts'

/** A value that fits its field, or an empty one. */
export interface CheckedValue {
  field: MetadataFieldRow
  value: string
  /** As search compares it. */
  folded: string
  /** Of both together. */
  bytes: number
}

/** Bytes that some values take, each as it is kept and as search compares it. */
export const bytesOfValues = (values: readonly Pick<CheckedValue, 'bytes'>[]): number =>
  values.reduce((sum, { bytes }) => sum + bytes, 0)

/** 400 that names fields by their own names, each with its sentence; nothing where there are none. */
function refuseFields(problems: readonly (readonly [name: string, sentence: string])[]): void {
  const [first] = problems
  if (first !== undefined) throw new AppError('invalid_input', first[1], { fields: Object.fromEntries(problems) })
}

/** Throws `invalid_input` on the first field whose value is too much, where other values of the file take so many bytes. */
function refuseTooMuch(values: readonly Pick<CheckedValue, 'field' | 'bytes'>[], others: number): void {
  let sum = others
  for (const { field, bytes } of values) {
    sum += bytes
    if (bytes === 0 || sum <= maxMetadataBytes) continue
    const most = `${maxMetadataBytes / 1024} KB`
    refuseFields([[field.name, `${field.label} is too long: all metadata of a file may take ${most} together`]])
  }
}

/** The values as they are stored. Throws as `refuseTooMuch`, before it folds more than may be stored. */
function measure(values: readonly Pick<CheckedValue, 'field' | 'value'>[], others: number): CheckedValue[] {
  const bare = values.map(({ field, value }) => ({ field, bytes: Buffer.byteLength(value) }))
  refuseTooMuch(bare, others)
  const measured = values.map(({ field, value }) => {
    const folded = fold(value)
    return { field, value, folded, bytes: Buffer.byteLength(value) + Buffer.byteLength(folded) }
  })
  refuseTooMuch(measured, others)
  return measured
}

/**
 * The values with their fields. Throws `invalid_input` where metadata is switched off, a field is unknown, a value is
 * one of a disabled field or not of its field's type, or they take too much together with `others`, the bytes of values
 * that the file gets besides.
 */
export async function checkValues(
  db: Database,
  switches: Switches,
  values: readonly MetadataValue[],
  others = 0,
): Promise<CheckedValue[]> {
  if (values.length > 0 && !switches.metadata_enabled) throw invalidField('metadata', 'Metadata is switched off')
  const fields = await findFieldsById(
    db,
    values.map(({ field_id }) => field_id),
  )
  const checked = values.map(({ field_id, value }) => {
    const field = fields.get(field_id)
    if (field === undefined) throw invalidField('metadata', `There is no metadata field ${field_id}`)
    const tidy = tidyValue(value)
    // What a file was given before can still be taken away.
    if (field.is_enabled === 0 && tidy !== '') {
      throw invalidField('metadata', `The metadata field '${field.name}' is disabled`)
    }
    return { field, value: tidy }
  })
  refuseFields(
    checked.flatMap(({ field, value }) => {
      const problem = value === '' ? null : valueProblem({ ...field, options: optionsOf(field) }, value)
      return problem === null ? [] : [[field.name, problem] as const]
    }),
  )
  return measure(checked, others)
}

const refuseMissing = (fields: readonly MetadataFieldRow[]): void =>
  refuseFields(fields.map(field => [field.name, `${field.label} is required`]))

/**
 * Throws `invalid_input`, naming each field, where a required one is neither among the values nor kept by the file
 * (null: a new one). Asks for nothing unless required fields are insisted on.
 */
export async function requireValues(
  db: Database,
  switches: Switches,
  values: readonly CheckedValue[],
  fileId: number | null,
): Promise<void> {
  if (!switches.metadata_required_on_upload) return
  const given = new Set(values.filter(({ value }) => value !== '').map(({ field }) => field.id))
  refuseMissing((await findRequiredFields(db, fileId)).filter(field => !given.has(field.id)))
}

/** Throws `invalid_input` where an empty value would take a required field's away. */
export function refuseRemoval(switches: Switches, values: readonly CheckedValue[]): void {
  if (!switches.metadata_required_on_upload) return
  refuseMissing(values.filter(({ field, value }) => value === '' && field.is_required === 1).map(({ field }) => field))
}

interface KeptBytes {
  /** Bytes of all values of the file, and of those whose fields are not among the given. */
  all: number
  others: number
}

async function findKeptBytes(db: Database, fileId: number, fieldIds: readonly number[]): Promise<KeptBytes> {
  const bytes = 'OCTET_LENGTH(value) + OCTET_LENGTH(value_folded)'
  const row = await db.row<KeptBytes>(
    `SELECT COALESCE(SUM(${bytes}), 0) AS \`all\`,
       COALESCE(SUM(CASE WHEN ${isOneOf('field_id', fieldIds, 2)} THEN 0 ELSE ${bytes} END), 0) AS others
     FROM file_metadata WHERE file_id = $1`,
    [fileId, ...fieldIds],
  )
  return row ?? { all: 0, others: 0 }
}

/**
 * Stores values of a file inside a write; an empty one takes its field's away. Others stay. Throws `invalid_input` where
 * they would take too much together with those; what a file has more from before may become less.
 */
export async function saveValues(db: Database, fileId: number, values: readonly CheckedValue[]): Promise<void> {
  if (values.length === 0) return
  const fieldIds = values.map(({ field }) => field.id)
  const { all, others } = await findKeptBytes(db, fileId, fieldIds)
  if (others + bytesOfValues(values) > all) refuseTooMuch(values, others)
  await db.change(`DELETE FROM file_metadata WHERE file_id = $1 AND ${isOneOf('field_id', fieldIds, 2)}`, [
    fileId,
    ...fieldIds,
  ])
  const rows = values
    .filter(({ value }) => value !== '')
    .map(({ field, value, folded }) => ({ file_id: fileId, field_id: field.id, value, value_folded: folded }))
  await db.insertAll(db.fileMetadata, rows)
}

/** How many changes it counts as to keep so many bytes of metadata, beyond the change that brings them. */
export const changesOfBytes = (bytes: number): number => Math.floor(bytes / metadataBytesPerChange)

/** Bytes that some values will take; where they are more than a file may have, that most, for they will be refused. */
function findBytes(values: readonly MetadataValue[]): number {
  const bytesOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const texts = values.map(({ value }) => tidyValue(value))
  const bare = bytesOf(texts)
  return Math.min(bare < maxMetadataBytes ? bare + bytesOf(texts.map(fold)) : bare, maxMetadataBytes)
}

/**
 * Asks for the room that some values may take at most, and counts their bytes among the user's changes. Throws
 * `storage_full` or `rate_limited`.
 */
export async function admitValues(
  { room, changes }: Pick<Deps, 'room' | 'changes'>,
  userId: number,
  values: readonly MetadataValue[],
): Promise<void> {
  if (values.length === 0) return
  await room.admit(0, maxMetadataBytes)
  await changes.count(userId, changesOfBytes(findBytes(values)))
}
