/** `filestore admin fields …`. */
import { terminalActor } from '../../access/actor.ts'
import type { InputOf } from '../../api/endpoint.ts'
import * as api from '../../api/metadata.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Flags } from '../../config-options.ts'
import * as fields from '../../metadata/fields.ts'
import { findField, findFields } from '../../metadata/find.ts'
import { presentField } from '../../metadata/present.ts'
import { withRows } from '../open.ts'
import { findNamedField } from './names.ts'

/** Returns all fields, in the order in which forms show them. */
export const listFields = (flags: Flags): Promise<api.MetadataField[]> =>
  withRows(flags, async ({ db }) => (await findFields(db)).map(presentField))

type NewField = Omit<InputOf<typeof api.createField>, 'field_type'> & { field_type: string }

/** Creates a field. Throws `invalid_input` and `name_taken`. */
export const createField = (flags: Flags, input: NewField): Promise<api.MetadataField> =>
  withRows(flags, async ({ db }) => {
    const id = await fields.createField(db, terminalActor, parseInput(api.createField.input, input))
    return presentField(await findField(db, id))
  })

/** Changes only the given properties; the values of files stay as they are. Throws `not_found` and `invalid_input`. */
export const setField = (
  flags: Flags,
  name: string,
  changes: Omit<InputOf<typeof api.updateField>, 'id'>,
): Promise<api.MetadataField> =>
  withRows(flags, async ({ db }) => {
    const { id } = await findNamedField(db, name)
    await fields.updateField(db, terminalActor, parseInput(api.updateField.input, { id, ...changes }))
    return presentField(await findField(db, id))
  })

/** Throws `not_found`. */
export const showField = (flags: Flags, name: string): Promise<api.MetadataField> =>
  withRows(flags, async ({ db }) => presentField(await findNamedField(db, name)))

/** Deletes a field with its values on all files. Returns the deleted field. Throws `not_found`. */
export const deleteField = (flags: Flags, name: string): Promise<api.MetadataField> =>
  withRows(flags, async ({ db }) => {
    const field = await findNamedField(db, name)
    await fields.deleteField(db, terminalActor, field.id)
    return presentField(field)
  })
