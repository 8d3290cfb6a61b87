/** Creates, changes and deletes tags; src/files/tagging.ts puts them on files. */

import { type Actor, writeActor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import { maxTags } from '../api/limits.ts'
import type { createTag as createEndpoint, updateTag as updateEndpoint } from '../api/tags.ts'
import { accountGone, invalidField, nameTaken } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { deleteLinks, finishDeletingLinks, type Linked } from '../db/delete-links.ts'
import { isOrphan, isTaken } from '../db/failures.ts'
import { lockSpace } from '../db/lock-space.ts'
import { countTags, findTag } from './find.ts'

/** Maps database errors: the unique index on the name decides which of several concurrent writes succeeds. */
const refuseTaken = (name: string) => (error: unknown) => {
  if (isOrphan(error)) throw accountGone()
  throw isTaken(error) ? nameTaken(name) : error
}

/**
 * Creates a tag for the actor and returns its id. Throws `name_taken`, `invalid_input` if the actor already has the
 * maximum number of tags, and `unauthenticated` if the account has been deleted.
 */
export function createTag(db: Database, actor: Actor, input: ParsedInputOf<typeof createEndpoint>): Promise<number> {
  const { name, color } = input
  return actorWrite(db, actor, async record => {
    await lockSpace(db, actor.root.spaceId)
    if ((await countTags(db, actor.userId)) >= maxTags) {
      throw invalidField('name', `You have ${maxTags} tags, and more there cannot be: delete one first`)
    }
    const id = await db.insert(db.tags, { owner_id: actor.userId, name, color }).catch(refuseTaken(name))
    record('tag.create', { id }, { name, color })
    return id
  })
}

/**
 * Changes the given fields. The event carries the space, because its listings show the tag. Throws as createTag, and
 * `not_found`.
 */
export function updateTag(db: Database, actor: Actor, input: ParsedInputOf<typeof updateEndpoint>): Promise<void> {
  return actorWrite(db, actor, async record => {
    await lockSpace(db, actor.root.spaceId)
    const { id, ...before } = await findTag(db, actor.userId, input.id)
    const after = { name: input.name ?? before.name, color: input.color ?? before.color }
    if (after.name === before.name && after.color === before.color) return record.nothing()
    await db.update(db.tags, after, id).catch(refuseTaken(after.name))
    record('tag.update', { id, spaceId: actor.root.spaceId }, { from: before, to: after })
  })
}

/** Deletes a tag and removes it from its files. Throws `not_found`. */
export async function deleteTag(db: Database, actor: Actor, id: number): Promise<void> {
  const { spaceId } = actor.root
  const linked: Linked = { table: 'tags', id, spaceId }
  const last = await actorWrite(db, actor, async record => {
    await lockSpace(db, spaceId)
    const { name, color } = await findTag(db, actor.userId, id)
    record('tag.delete', { id, spaceId }, { name, color })
    return deleteLinks(db, linked)
  })
  await finishDeletingLinks(db, writeActor(actor), linked, last)
}
