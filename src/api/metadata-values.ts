/** Values that files are given for metadata fields, as a JSON list or as the text of one in a form. */
import * as z from 'zod/mini'
import { atMostUnits, composable, id } from './fields.ts'
import { maxMetadataValueLength, maxMetadataValues } from './limits.ts'

const metadataValue = z.strictObject({
  field_id: id,
  /** A checkbox's is 'true' or 'false'. */
  value: z
    .string()
    .check(
      atMostUnits(maxMetadataValueLength, `A value is longer than ${maxMetadataValueLength} characters`),
      composable,
    ),
})
export type MetadataValue = z.output<typeof metadataValue>

/** Each field at most once. */
export const metadataValues = z.array(metadataValue, 'Expected a list of {field_id, value}').check(
  z.maxLength(maxMetadataValues, `At most ${maxMetadataValues} values at a time`),
  z.refine(
    values => new Set(values.map(value => value.field_id)).size === values.length,
    'A field is given more than once',
  ),
)

/** Text that is no JSON becomes null, which is no list. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const uploadedMetadata = z.pipe(z.pipe(z.string(), z.transform(parseJson)), metadataValues)
