/** Creates, changes and deletes metadata fields. */
import { type Principal, writeActor } from '../access/actor.ts'
import { confirmedWrite } from '../access/confirmed-write.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { maxFields } from '../api/limits.ts'
import type * as api from '../api/metadata.ts'
import { invalidField, nameTaken, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { deleteLinks, finishDeletingLinks, type Linked } from '../db/delete-links.ts'
import { isTaken } from '../db/failures.ts'
import { toFlag } from '../db/models/columns.ts'
import type { MetadataFieldRow } from '../db/models/metadata.ts'
import { findField, findFields } from './find.ts'

type NewField = ParsedInputOf<typeof api.createField>
type FieldChange = ParsedInputOf<typeof api.updateField>

/** Throws `invalid_input` unless a select field has options and any other field has none. */
function checkOptions(type: api.FieldType, options: string[] | null | undefined): void {
  if (type === 'select' && (options ?? null) === null) throw invalidField('options', 'Give at least one option')
  if (type !== 'select' && (options ?? null) !== null) throw invalidField('options', 'Only a select field has options')
}

const blankToNull = (text: string | null | undefined): string | null => text || null

/**
 * Creates an enabled field and returns its id. Throws `name_taken`, and `invalid_input` for wrong options or if there
 * is already the maximum number of fields.
 */
export async function createField(db: Database, actor: Principal, input: NewField): Promise<number> {
  checkOptions(input.field_type, input.options)
  const create = () =>
    db.insert(db.metadataFields, {
      name: input.name,
      label: input.label,
      description: blankToNull(input.description),
      field_type: input.field_type,
      options: input.options ? JSON.stringify(input.options) : null,
      is_required: toFlag(input.is_required ?? false),
      is_enabled: 1,
      created_at: Date.now(),
    })
  return confirmedWrite(db, actor, async record => {
    if ((await findFields(db)).length >= maxFields) {
      throw invalidField('name', `There are ${maxFields} metadata fields, and more there cannot be: delete one first`)
    }
    const id = await create().catch(error => {
      throw isTaken(error) ? nameTaken(input.name) : error
    })
    record('metadata-field.create', { id }, { name: input.name, field_type: input.field_type })
    return id
  })
}

/** The columns that a change sets. */
function changedColumns(input: FieldChange): Partial<MetadataFieldRow> {
  return {
    ...(input.label === undefined ? {} : { label: input.label }),
    ...(input.description === undefined ? {} : { description: blankToNull(input.description) }),
    ...(input.options === undefined ? {} : { options: JSON.stringify(input.options) }),
    ...(input.is_required === undefined ? {} : { is_required: toFlag(input.is_required) }),
    ...(input.is_enabled === undefined ? {} : { is_enabled: toFlag(input.is_enabled) }),
  }
}

/** Changes the given properties; existing values of files stay unchanged. Throws `not_found`. */
export async function updateField(db: Database, actor: Principal, input: FieldChange): Promise<void> {
  const { id, ...given } = input
  await confirmedWrite(db, actor, async record => {
    const field = await findField(db, id)
    if (input.options !== undefined) checkOptions(field.field_type, input.options)
    const columns = changedColumns(input)
    if (Object.keys(columns).length === 0) return record.nothing()
    const changed = await db.update(db.metadataFields, columns, id)
    if (changed === 0) throw notFound('Metadata field')
    // The event holds only the number of options: the list may have 100 KB, and an event is kept for a year.
    const options = given.options === undefined ? {} : { options: given.options.length }
    record('metadata-field.update', { id }, { name: field.name, ...given, ...options })
  })
}

/** Permanently deletes a field and its values; the files themselves stay unchanged. Throws `not_found`. */
export async function deleteField(db: Database, actor: Principal, id: number): Promise<void> {
  const linked: Linked = { table: 'metadata_fields', id, spaceId: null }
  const last = await confirmedWrite(db, actor, async record => {
    const { name } = await findField(db, id)
    record('metadata-field.delete', { id }, { name })
    return deleteLinks(db, linked)
  })
  await finishDeletingLinks(db, writeActor(actor), linked, last)
}
