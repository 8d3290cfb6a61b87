/** The values of files: checking what is sent, asking for what is required, and storing it. */
import type { MetadataValue } from '../api/metadata-values.ts'
import type { Database } from '../db/database.ts'
import { fold } from '../db/fold.ts'
import type { MetadataFieldRow } from '../db/models/metadata.ts'
import { isOneOf } from '../db/values.ts'
import { AppError, invalidField } from '../errors.ts'
import type { Switches } from '../settings/find.ts'
import { tidyValue, valueProblem } from './check.ts'
import { findFieldsById, findRequiredFields } from './find.ts'
import { optionsOf } from './present.ts'

/** A value that fits its field, or an empty one. */
export interface CheckedValue {
  field: MetadataFieldRow
  value: string
}

/** 400 that names fields by their own names, each with its sentence; nothing where there are none. */
function refuseFields(problems: readonly (readonly [name: string, sentence: string])[]): void {
  const [first] = problems
  if (first !== undefined) throw new AppError('invalid_input', first[1], { fields: Object.fromEntries(problems) })
}

/**
 * The values with their fields. Throws `invalid_input` where metadata is switched off, a field is unknown, or a value is
 * one of a disabled field or not of its field's type.
 */
export async function checkValues(
  db: Database,
  switches: Switches,
  values: readonly MetadataValue[],
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
  return checked
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

/** Stores values of a file inside a write; an empty one takes its field's away. Others stay. */
export async function saveValues(db: Database, fileId: number, values: readonly CheckedValue[]): Promise<void> {
  if (values.length === 0) return
  const fieldIds = values.map(({ field }) => field.id)
  await db.change(`DELETE FROM file_metadata WHERE file_id = $1 AND ${isOneOf('field_id', fieldIds, 2)}`, [
    fileId,
    ...fieldIds,
  ])
  const rows = values
    .filter(({ value }) => value !== '')
    .map(({ field, value }) => ({ file_id: fileId, field_id: field.id, value, value_folded: fold(value) }))
  await db.insertAll(db.fileMetadata, rows)
}
