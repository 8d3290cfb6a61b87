/** Checks an input against its schema; an invalid one becomes 400 with a sentence for each field. */
import { en } from 'zod/locales'
import * as z from 'zod/mini'
import type { FieldErrors } from '../api/errors.ts'
import { AppError } from './errors.ts'
import { sentenceOf } from './issue-sentences.ts'

// Mini schemas have no messages of their own. Use our sentences, and the library's for all other issues.
z.config(en())
z.config({ customError: sentenceOf })

/** Maximum number of fields in a response. More help nobody, and would let the sender choose the response's size. */
const maxNamedFields = 20

/** Maximum characters of a field's name in a response, because the sender chooses the name of an unknown field. */
const maxShownName = 100
const shown = (name: string): string => (name.length > maxShownName ? `${name.slice(0, maxShownName)}…` : name)

/** Maps each field to its first error, for the first fields. Unknown fields are listed one by one. */
function fieldErrors(issues: readonly z.core.$ZodIssue[]): FieldErrors {
  // No prototype, because a field may have any name.
  const fields: FieldErrors = Object.create(null)
  for (const issue of issues.slice(0, maxNamedFields)) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys.slice(0, maxNamedFields)) {
        fields[shown([...issue.path, key].join('.'))] ??= 'Unknown field'
      }
    } else {
      fields[shown(issue.path.join('.'))] ??= issue.message
    }
  }
  return fields
}

/** Catches a stack overflow: Zod passes all issues as arguments of one call, which fails from about 100,000 on. */
function check<Schema extends z.ZodMiniType>(schema: Schema, input: unknown) {
  try {
    return schema.safeParse(input)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new AppError('invalid_input', 'The input is wrong in too many places', { cause: error })
  }
}

/** Returns the parsed input. Throws `invalid_input`; its message is the first field's sentence. */
export function parseInput<Schema extends z.ZodMiniType>(schema: Schema, input: unknown): z.output<Schema> {
  const result = check(schema, input)
  if (result.success) return result.data
  const fields = fieldErrors(result.error.issues)
  const [name, sentence] = Object.entries(fields)[0] ?? ['', 'Invalid input']
  const message = sentence === 'Unknown field' || name === '' ? `${sentence} ${name}`.trim() : sentence
  throw new AppError('invalid_input', message, { fields })
}
