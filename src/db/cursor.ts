/** Where a page ended, as the text that fetches the next one. */
import * as z from 'zod/mini'
import { type AppError, invalidField } from '../base/errors.ts'

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

/** A list as its cursors know it: its name, and of which kind each value is. */
interface CursorList {
  name: string
  form: readonly ('string' | 'number')[]
}

/**
 * The values at which to go on, and which of the lists the cursor belongs to. Throws `invalid_input` for a cursor that
 * none of them made.
 */
export function decodeCursor(cursor: string, lists: readonly CursorList[]): { list: number; after: CursorValue[] } {
  const result = position.safeParse(parse(cursor))
  if (!result.success) throw unknownCursor()
  const { list: name, after } = result.data
  const list = lists.findIndex(candidate => candidate.name === name)
  const form = lists[list]?.form ?? []
  const fits = after.length === form.length && after.every((value, index) => typeof value === form[index])
  if (list < 0 || !fits || encodeCursor(name, after) !== cursor) throw unknownCursor()
  return { list, after }
}

const unknownCursor = (): AppError => invalidField('cursor', 'Unknown cursor')
