/** Where a page ended, as the text that fetches the next one. */
import { z } from 'zod/mini'
import { invalidField } from '../errors.ts'

const position = z.strictObject({
  /** What the list was and how it was sorted; a cursor of another one does not fit. */
  list: z.string(),
  /** The last entry's values of the sort columns, its id last. */
  after: z.array(z.union([z.string(), z.int()])),
})

export type CursorValue = string | number

export const encodeCursor = (list: string, after: readonly CursorValue[]): string =>
  Buffer.from(JSON.stringify({ list, after })).toString('base64url')

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return null
  }
}

/**
 * The values at which to go on; `form` says of which kind each must be. Throws `invalid_input` for a cursor that this
 * list did not make.
 */
export function decodeCursor(cursor: string, list: string, form: readonly ('string' | 'number')[]): CursorValue[] {
  const result = position.safeParse(parse(cursor))
  const fits =
    result.success &&
    result.data.list === list &&
    result.data.after.length === form.length &&
    result.data.after.every((value, index) => typeof value === form[index]) &&
    encodeCursor(list, result.data.after) === cursor
  if (!fits) throw invalidField('cursor', 'Unknown cursor')
  return result.data.after
}
