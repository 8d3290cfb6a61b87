/** Metadata values of files: checks given values, requires the required ones, and stores them. */
import type { Account } from '../access/change-limits.ts'
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

/** A value that is valid for its field, or empty. */
export interface CheckedValue {
  field: MetadataFieldRow
  value: string
  /** The folded value, which search compares. */
  folded: string
  /** Bytes of `value` and `folded` together. */
  bytes: number
}

/** Bytes that values take, both stored and folded. */
export const bytesOfValues = (values: readonly Pick<CheckedValue, 'bytes'>[]): number =>
  values.reduce((sum, { bytes }) => sum + bytes, 0)

/** Throws `invalid_input` with a sentence for each field name; does nothing if there are no problems. */
function refuseFields(problems: readonly (readonly [name: string, sentence: string])[]): void {
  const [first] = problems
  if (first !== undefined) throw new AppError('invalid_input', first[1], { fields: Object.fromEntries(problems) })
}

/**
 * Throws `invalid_input` on the first field that exceeds the file's limit; `others` are the bytes of its other values.
 */
function refuseTooMuch(values: readonly Pick<CheckedValue, 'field' | 'bytes'>[], others: number): void {
  let sum = others
  for (const { field, bytes } of values) {
    sum += bytes
    if (bytes === 0 || sum <= maxMetadataBytes) continue
    const most = `${maxMetadataBytes / 1024} KB`
    refuseFields([[field.name, `${field.label} is too long: all metadata of a file may take ${most} together`]])
  }
}

/** Folds and measures values. Throws as `refuseTooMuch`, before folding more than may be stored. */
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
 * Returns the values with their fields. Throws `invalid_input` if metadata is switched off, a field is unknown or
 * disabled, a value is not valid for its field, or the values are too long together with `others`, the bytes of other
 * values that the file gets.
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
    // A disabled field still accepts an empty value, so that a file's old value can be removed.
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
 * Throws `invalid_input`, naming each field, if a required field has a value neither in `values` nor in the file (null:
 * a new file). Does nothing unless `metadata_required_on_upload` is on.
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

/** Throws `invalid_input` if an empty value would remove the value of a required field. */
export function refuseRemoval(switches: Switches, values: readonly CheckedValue[]): void {
  if (!switches.metadata_required_on_upload) return
  refuseMissing(values.filter(({ field, value }) => value === '' && field.is_required === 1).map(({ field }) => field))
}

interface KeptBytes {
  /** `all`: bytes of all values of the file. `others`: bytes of those whose fields are not among the given ones. */
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
 * Stores values of a file inside a write; an empty value removes the field's value, and other fields keep theirs.
 * Throws `invalid_input` if all values together would be too long. A file that already exceeds the limit may still
 * shrink.
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

/** How many extra changes this many bytes of metadata count as, besides the change that stores them. */
export const changesOfBytes = (bytes: number): number => Math.floor(bytes / metadataBytesPerChange)

/** Bytes that values will take, capped at the limit of a file: values beyond it will be refused anyway. */
function findBytes(values: readonly MetadataValue[]): number {
  const bytesOf = (texts: readonly string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const texts = values.map(({ value }) => tidyValue(value))
  const bare = bytesOf(texts)
  return Math.min(bare < maxMetadataBytes ? bare + bytesOf(texts.map(fold)) : bare, maxMetadataBytes)
}

/**
 * Checks that the disk has room for the most that values may take, and counts their bytes as changes of the user.
 * Throws `storage_full` or `rate_limited`.
 */
export async function admitValues(
  { freeSpace, changes }: Pick<Deps, 'freeSpace' | 'changes'>,
  account: Account,
  values: readonly MetadataValue[],
): Promise<void> {
  if (values.length === 0) return
  await freeSpace.admit(0, maxMetadataBytes)
  await changes.count(account, changesOfBytes(findBytes(values)))
}
