/** The cursor of the feed: how far each space was read, when, and what its reader saw then. */

import { decodeCursor, encodeCursor, unknownCursor } from '../db/cursor.ts'
import type { Position } from '../events/revisions.ts'

export interface FeedCursor {
  /** ms, UTC; when it was made. */
  at: number
  /** As `LivePlaces.mark`. */
  mark: string
  /** By space. */
  positions: ReadonlyMap<number, Position>
}

const field = 'since'
/** Space, revision and event id of each position: short, because a reader may follow hundreds of spaces. */
const form = /^(?:[0-9a-z]{1,11}\.[0-9a-z]{1,11}(?:\.[0-9a-z]{1,11})?(?:,|$))*$/

/** The name of a list: cursors of all spaces and of one are different. */
const nameOf = (spaceId: number | undefined): string => `changes ${spaceId ?? ''}`

export function encodeFeed(spaceId: number | undefined, { at, mark, positions }: FeedCursor): string {
  const parts = [...positions].map(([space, { revision, id }]) =>
    [space, revision, ...(id === null ? [] : [id])].map(number => number.toString(36)).join('.'),
  )
  return encodeCursor(nameOf(spaceId), [at, mark, parts.join(',')])
}

/** Throws `invalid_input` for a cursor of other input. */
export function decodeFeed(spaceId: number | undefined, cursor: string): FeedCursor {
  const { after } = decodeCursor(cursor, [{ name: nameOf(spaceId), form: ['number', 'string', 'string'] }], field)
  const [at, mark, parts] = after.map(String) as [string, string, string]
  if (!form.test(parts)) throw unknownCursor(field)
  const positions = parts.split(',').flatMap((part): [number, Position][] => {
    const [space, revision, id] = part.split('.').map(number => Number.parseInt(number, 36))
    return space === undefined || revision === undefined ? [] : [[space, { revision, id: id ?? null }]]
  })
  return { at: Number(at), mark, positions: new Map(positions) }
}
