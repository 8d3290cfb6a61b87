/** Tells whether a folder was changed while it was copied for a move, by the events of its space. */
import type { Actor } from '../../access/actor.ts'
import { isInSpace } from '../../access/reach.ts'
import { AppError, notFound } from '../../base/errors.ts'
import type { Database } from '../../db/database.ts'
import { isOneOf } from '../../db/values.ts'
import { leftBy } from '../../events/left.ts'
import { presentEvent } from '../../events/present.ts'
import { findEventsAfter, findRevisions, type Position, type SpaceEvent } from '../../events/revisions.ts'
import type { ItemRow } from '../item-row.ts'

type MovedItem = Pick<ItemRow, 'id' | 'space_id'>

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

/** Changes of an item that a copy of it does not have. */
const leftOut: readonly string[] = ['file.favorite', 'file.unfavorite']
const taggings: readonly string[] = ['file.tag', 'file.untag']

/** Whether the move would leave a change behind if it was of the folder. A copy has the mover's own tags alone. */
function matters(event: SpaceEvent, { userId }: Actor, spaceId: number): boolean {
  if (taggings.includes(event.action)) return event.actor_id === userId
  return (
    isInSpace({ spaceId }, event.space_id) && /^(file|folder)\./.test(event.action) && !leftOut.includes(event.action)
  )
}

/** The items that events are about, and the folders that these have left. */
const itemsOf = (events: readonly SpaceEvent[]): number[] => [
  ...new Set(events.flatMap(event => [event.item_id, leftBy(presentEvent(event))]).filter(id => id !== null)),
]

const changedMeanwhile = (): AppError =>
  new AppError('in_use', 'Something in the folder was changed meanwhile, so it was not moved. Try again')

/** The changes of one space, from now on; the function throws as that of `openChanged`. */
async function follow(db: Database, actor: Actor, { id, space_id }: MovedItem, spaceId: number) {
  const findRevision = async () => {
    const revision = (await findRevisions(db, [spaceId])).get(spaceId)
    if (revision === undefined) throw notFound('Space')
    return revision
  }
  let position: Position = { revision: await findRevision(), id: null }

  return async (): Promise<void> => {
    const last = await findRevision()
    while (position.revision < last) {
      const events = await findEventsAfter(db, spaceId, position, last, eventsAtOnce)
      const relevant = events.filter(event => matters(event, actor, space_id))
      // The event of tags on several files names none of them.
      const isUnknown = relevant.some(({ item_id }) => item_id === null)
      if (isUnknown || (await isBelow(db, id, itemsOf(relevant)))) throw changedMeanwhile()
      const end = events.length < eventsAtOnce ? undefined : events.at(-1)
      position = end === undefined ? { revision: last, id: null } : { revision: end.revision, id: end.id }
    }
  }
}

/**
 * Begins to look for changes of a folder and of what is below it. The function throws `in_use` once there has been one:
 * who moves the folder would leave it behind in the trash, in the original.
 */
export async function openChanged(db: Database, actor: Actor, item: MovedItem): Promise<() => Promise<void>> {
  // The mover's tags on others' files are recorded in the mover's own space.
  const spaces = [...new Set([item.space_id, actor.root.spaceId])]
  const followed: (() => Promise<void>)[] = []
  for (const spaceId of spaces) followed.push(await follow(db, actor, item, spaceId))
  return async () => {
    for (const refuse of followed) await refuse()
  }
}
