/** Reads all spaces. */
import { readPages } from '../../db/read-on.ts'
import type { Check } from './finding.ts'

export interface Space {
  id: number
  /** The owner. */
  username: string | null
}

/** Spaces per page. */
const pageSize = 200

/** Each space once, also one that is made meanwhile. Throws when the check is aborted. */
export async function* readSpaces({ deps: { db }, signal }: Check): AsyncGenerator<Space> {
  const pages = readPages<Space>(db, {
    read: ([after = 0]) =>
      db.rows(
        `SELECT s.id, u.username FROM spaces s LEFT JOIN users u ON u.id = s.owner_id WHERE s.id > $1
         ORDER BY s.id LIMIT ${pageSize}`,
        [after],
      ),
    keyOf: ({ id }) => [id],
    start: [0],
    size: pageSize,
  })
  for await (const spaces of pages) {
    for (const space of spaces) {
      signal.throwIfAborted()
      yield space
    }
  }
}
