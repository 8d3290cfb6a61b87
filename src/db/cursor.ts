/** Cursors: the end of a page as a text that fetches the next page. */
import * as z from 'zod/mini'
import { type AppError, invalidField } from '../base/errors.ts'

const position = z.strictObject({
  /** Names the list and its sort order; a cursor of another list is refused. */
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

/** A list as its cursors describe it: its name, and the type of each value. */
interface CursorList {
  name: string
  form: readonly ('string' | 'number')[]
}

/**
 * Returns the values to continue after, and the index of the list that the cursor belongs to. Throws `invalid_input` if
 * none of the lists made it. `field` is the input that holds the cursor.
 */
export function decodeCursor(
  cursor: string,
  lists: readonly CursorList[],
  field = 'cursor',
): { list: number; after: CursorValue[] } {
  const result = position.safeParse(parse(cursor))
  if (!result.success) throw unknownCursor(field)
  const { list: name, after } = result.data
  const list = lists.findIndex(candidate => candidate.name === name)
  const form = lists[list]?.form ?? []
  const fits = after.length === form.length && after.every((value, index) => typeof value === form[index])
  if (list < 0 || !fits || encodeCursor(name, after) !== cursor) throw unknownCursor(field)
  return { list, after }
}

/**
 * Returns the row that the next page continues after; null if all rows are shown. A query reads one row more than its
 * page can show, so that the rows say whether another page follows.
 */
export const lastShown = <Row>(rows: readonly Row[], shown: number): Row | null =>
  rows.length > shown ? (rows[shown - 1] ?? null) : null

/** The error for a cursor that no list made, in this field of the input. */
export const unknownCursor = (field: string): AppError => invalidField(field, 'Unknown cursor')
