/** What the server finds wrong with a form, by its fields. */
import { ApiError } from '../../../src/api/client.ts'
import type { FieldErrors } from '../../../src/api/errors.ts'
import { messageOf } from './message-of.ts'

/**
 * Field → what is wrong with it, for those of `fields` that the server names; else `form` → the server's message, else
 * `fallback`. What is wrong with one entry of a list (`options.1`) belongs to the list.
 */
export function problemsOf(error: unknown, fallback: string, fields: readonly string[]): FieldErrors {
  const found: FieldErrors = {}
  for (const [name, sentence] of Object.entries(error instanceof ApiError ? error.fields : {})) {
    const [field = name] = name.split('.')
    if (fields.includes(field)) found[field] ??= sentence
  }
  return Object.keys(found).length > 0 ? found : { form: messageOf(error, fallback) }
}
