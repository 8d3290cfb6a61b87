/** Metadata fields: the values that uploads are asked for. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { atMostUnits, lineOfText, nothing, onlyId, textBlock, textId, time } from './fields.ts'
import { maxDescriptionLength, maxFieldNameLength, maxFieldOptions, maxLabelLength } from './limits.ts'

export const fieldTypes = ['text', 'textarea', 'number', 'date', 'checkbox', 'email', 'url', 'select'] as const
export type FieldType = (typeof fieldTypes)[number]

export const metadataField = z.object({
  id: z.int(),
  /** Internal; lowercase letters and underscores. */
  name: z.string(),
  label: z.string(),
  description: z.nullable(z.string()),
  field_type: z.enum(fieldTypes),
  /** The choices of a select field, else null. */
  options: z.nullable(z.array(z.string())),
  is_required: z.boolean(),
  is_enabled: z.boolean(),
  created_at: time,
})
export type MetadataField = z.output<typeof metadataField>

/** Converted to lower case, with underscores for spaces. */
const fieldName = z.string().check(
  z.trim(),
  atMostUnits(maxFieldNameLength, `Name is longer than ${maxFieldNameLength} characters`),
  z.overwrite(name => name.toLowerCase().replace(/\s+/g, '_')),
  z.minLength(1, 'Name is required'),
  z.regex(/^[a-z_]+$/, 'Use lowercase letters and underscores only'),
)
const label = lineOfText('Label', maxLabelLength)
const description = z.optional(z.nullable(textBlock('Description', maxDescriptionLength)))
const options = z.array(lineOfText('Option', maxLabelLength)).check(
  z.minLength(1, 'Give at least one option'),
  z.maxLength(maxFieldOptions, `At most ${maxFieldOptions} options`),
  z.refine(list => new Set(list).size === list.length, 'An option is given more than once'),
)

/** The fields that the upload dialog asks for; none while metadata is switched off. `mime_type` is the file's type. */
export const listUploadFields = endpoint(
  'GET',
  '/metadata/fields/upload',
  z.strictObject({
    mime_type: z.optional(z.string().check(atMostUnits(255, 'The type is longer than 255 characters'))),
  }),
).returns(z.array(metadataField), about('List the metadata fields that an upload is asked for'))

export const listFields = endpoint('GET', '/metadata/fields', nothing).returns(
  z.array(metadataField),
  about('List all metadata fields'),
)

/** `options` are required for a select field and refused for any other. */
export const createField = endpoint(
  'POST',
  '/metadata/fields',
  z.strictObject({
    name: fieldName,
    label,
    field_type: z.enum(fieldTypes, 'Unknown field type'),
    description,
    is_required: z.optional(z.boolean()),
    options: z.optional(z.nullable(options)),
  }),
).returns(metadataField, about('Make a metadata field', { errors: ['name_taken'], statuses: [201] }))

/** Name and type cannot be changed. */
export const updateField = endpoint(
  'PUT',
  '/metadata/fields/:id',
  z.strictObject({
    id: textId,
    label: z.optional(label),
    description,
    is_required: z.optional(z.boolean()),
    is_enabled: z.optional(z.boolean()),
    options: z.optional(options),
  }),
).returns(metadataField, about('Change a metadata field'))

/** Deletes the field and its values on all files. */
export const deleteField = endpoint('DELETE', '/metadata/fields/:id', onlyId).returns(
  z.null(),
  about("Delete a metadata field and its files' values"),
)
