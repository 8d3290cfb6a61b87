/** Metadata values of files, sent as a JSON list or as its text in a form field. */
import * as z from 'zod/mini'
import { atMostUnits, composable, id } from './fields.ts'
import { maxMetadataValueLength, maxMetadataValues } from './limits.ts'

const metadataValue = z.strictObject({
  field_id: id,
  /** For a checkbox, 'true' or 'false'. */
  value: z
    .string()
    .check(
      atMostUnits(maxMetadataValueLength, `A value is longer than ${maxMetadataValueLength} characters`),
      composable,
    ),
})
export type MetadataValue = z.output<typeof metadataValue>

/** Each field may occur once. */
export const metadataValues = z.array(metadataValue, 'Expected a list of {field_id, value}').check(
  z.maxLength(maxMetadataValues, `At most ${maxMetadataValues} values at a time`),
  z.refine(
    values => new Set(values.map(value => value.field_id)).size === values.length,
    'A field is given more than once',
  ),
)

/** Returns null for text that is not JSON; the list schema then rejects it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const uploadedMetadata = z.pipe(z.pipe(z.string(), z.transform(parseJson)), metadataValues)
