/** Tells whether a folder was changed while it was copied for a move, by the events of its space. */
import { AppError } from '../../base/errors.ts'
import type { Database } from '../../db/database.ts'
import { isOneOf } from '../../db/values.ts'
import { leftBy } from '../../events/left.ts'
import { presentEvent } from '../../events/present.ts'
import { findEventsAfter, findRevisions, type Position, type SpaceEvent } from '../../events/revisions.ts'
import type { ItemRow } from '../item-row.ts'

/** Events of one read. */
const eventsAtOnce = 500

/** Whether one of some items is a folder or lies below it, live or in the trash. */
async function isBelow(db: Database, folderId: number, ids: readonly number[]): Promise<boolean> {
  if (ids.length === 0) return false
  const row = await db.row(
    `WITH RECURSIVE up (id) AS (
       SELECT id FROM files WHERE ${isOneOf('id', ids, 2)}
       UNION
       SELECT f.parent_id FROM up JOIN files f ON f.id = up.id WHERE f.parent_id IS NOT NULL)
     SELECT id FROM up WHERE id = $1`,
    [folderId, ...ids],
  )
  return row !== undefined
}

/** The items that events are about, and the folders that these have left. */
const itemsOf = (events: readonly SpaceEvent[]): number[] => [
  ...new Set(
    events
      .filter(({ action }) => /^(file|folder)\./.test(action))
      .flatMap(event => [event.item_id, leftBy(presentEvent(event))])
      .filter(id => id !== null),
  ),
]

/**
 * Begins to look for changes of a folder and of what is below it. The function throws `in_use` once there has been one:
 * who moves the folder would leave it behind in the trash, in the original.
 */
export async function openChanged(
  db: Database,
  { id, space_id: spaceId }: Pick<ItemRow, 'id' | 'space_id'>,
): Promise<() => Promise<void>> {
  const findRevision = async () => (await findRevisions(db, [spaceId])).get(spaceId) ?? 0
  let position: Position = { revision: await findRevision(), id: null }

  return async () => {
    const last = await findRevision()
    while (position.revision < last) {
      const events = await findEventsAfter(db, spaceId, position, last, eventsAtOnce)
      if (await isBelow(db, id, itemsOf(events))) {
        throw new AppError('in_use', 'Something in the folder was changed meanwhile, so it was not moved. Try again')
      }
      const end = events.length < eventsAtOnce ? undefined : events.at(-1)
      position = end === undefined ? { revision: last, id: null } : { revision: end.revision, id: end.id }
    }
  }
}
