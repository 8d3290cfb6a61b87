/** The server's validation errors of a form, by field. */
import { ApiError } from '../../../src/api/client.ts'
import type { FieldErrors } from '../../../src/api/errors.ts'
import { messageOf } from './message-of.ts'

/**
 * Maps each of `fields` that the server names to its error; when there is none, maps `form` to the server's message, or
 * to `fallback`. An error in one entry of a list (`options.1`) counts for the whole list.
 */
export function problemsOf(error: unknown, fallback: string, fields: readonly string[]): FieldErrors {
  const found: FieldErrors = {}
  for (const [name, sentence] of Object.entries(error instanceof ApiError ? error.fields : {})) {
    const [field = name] = name.split('.')
    if (fields.includes(field)) found[field] ??= sentence
  }
  return Object.keys(found).length > 0 ? found : { form: messageOf(error, fallback) }
}
