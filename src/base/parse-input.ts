/** Checks an input against its schema; a wrong one becomes 400 with a sentence for each field. */
import { en } from 'zod/locales'
import * as z from 'zod/mini'
import type { FieldErrors } from '../api/errors.ts'
import { AppError } from './errors.ts'
import { sentenceOf } from './issue-sentences.ts'

// Mini schemas bring no texts of their own: ours, and the library's for what ours do not speak of.
z.config(en())
z.config({ customError: sentenceOf })

/** An answer that names more fields than this helps nobody, and its size would be the sender's choice. */
const maxNamedFields = 20

/** Field → first thing wrong with it, for the first fields. Unknown ones are named one by one. */
function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  // No prototype: a field may be called anything.
  const fields: FieldErrors = Object.create(null)
  for (const issue of issues.slice(0, maxNamedFields)) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, maxNamedFields)) {
        fields[[...issue.path, key].join('.')] ??= 'Unknown field'
      }
    } else {
      fields[issue.path.join('.')] ??= issue.message
    }
  }
  return fields
}

/** Zod hands its issues on as the arguments of one call, so that some 100,000 of them overflow the stack. */
function check<Schema extends z.ZodMiniType>(schema: Schema, input: unknown) {
  try {
    return schema.safeParse(input)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new AppError('invalid_input', 'The input is wrong in too many places', { cause: error })
  }
}

/** The parsed input. Throws `invalid_input`; its message is the first field's sentence. */
export function parseInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = check(schema, input)
  if (result.success) return result.data
  const fields = fieldErrors(result.error.issues)
  const [name, sentence] = Object.entries(fields)[0] ?? ['', 'Invalid input']
  const message = sentence === 'Unknown field' || name === '' ? `${sentence} ${name}`.trim() : sentence
  throw new AppError('invalid_input', message, { fields })
}
