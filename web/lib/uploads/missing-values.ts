/** Which metadata an upload still needs. */
import type { MetadataField } from '../../../src/api/metadata.ts'

/** The required fields without a value, which the page can check without the server. */
export const missingOf = (fields: readonly MetadataField[], values: ReadonlyMap<number, string>): Map<number, string> =>
  new Map(
    fields
      .filter(({ id, is_required }) => is_required && (values.get(id) ?? '').trim() === '')
      .map(({ id, label }) => [id, `${label} is required`]),
  )
