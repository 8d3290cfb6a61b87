/** Sentences for people that say what is wrong with a field, for schemas without messages of their own. */
import type { z } from 'zod/mini'

const types: Record<string, string> = {
  string: 'Expected text',
  number: 'Expected a number',
  int: 'Expected a whole number',
  boolean: 'Expected true or false',
  array: 'Expected a list',
  object: 'Expected an object',
  record: 'Expected an object',
  null: 'Expected null',
}

const units: Record<string, string> = { string: ' characters', array: ' entries' }

function expected(values: readonly unknown[]): string {
  return values.length === 1 ? `Expected ${values[0]}` : `Expected one of: ${values.join(', ')}`
}

/** Returns the sentence for an issue; undefined lets the library choose one. */
export function sentenceOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'This field is required'
  if (issue.code === 'invalid_type') return types[issue.expected]
  if (issue.code === 'invalid_value') return expected(issue.values)
  if (issue.code === 'too_big') return `Expected at most ${issue.maximum}${units[issue.origin] ?? ''}`
  if (issue.code === 'too_small') return `Expected at least ${issue.minimum}${units[issue.origin] ?? ''}`
  // A value that selects one of several forms of an input, such as a batch's action.
  if (issue.code === 'invalid_union' && Array.isArray(issue.options)) return expected(issue.options)
  return undefined
}
