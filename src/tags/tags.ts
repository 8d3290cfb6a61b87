/** Making, changing and deleting tags; what files bear them is src/files/tagging.ts. */
import { type Actor, writeActor } from '../access/actor.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { createTag as createEndpoint, updateTag as updateEndpoint } from '../api/tags.ts'
import type { Database } from '../db/database.ts'
import { deleteLinks } from '../db/delete-links.ts'
import { isTaken } from '../db/failures.ts'
import { lockSpace } from '../db/lock-space.ts'
import { nameTaken } from '../errors.ts'
import { findTag } from './find.ts'

/** The unique index decides, so that of many at once one wins. */
const refuseTaken = (name: string) => (error: unknown) => {
  throw isTaken(error) ? nameTaken(name) : error
}

/** Makes a tag of the actor's own; gives back its id. Throws `name_taken`. */
export function createTag(db: Database, actor: Actor, input: ParsedInputOf<typeof createEndpoint>): Promise<number> {
  const { name, color } = input
  return db.write(writeActor(actor), async record => {
    const id = await db.insert(db.tags, { owner_id: actor.userId, name, color }).catch(refuseTaken(name))
    record('tag.create', { id }, { name, color })
    return id
  })
}

/** Changes what is given. The event carries the space, for its listings show the tag. Throws as createTag, `not_found`. */
export function updateTag(db: Database, actor: Actor, input: ParsedInputOf<typeof updateEndpoint>): Promise<void> {
  return db.write(writeActor(actor), async record => {
    await lockSpace(db, actor.spaceId)
    const { id, ...before } = await findTag(db, actor.userId, input.id)
    const after = { name: input.name ?? before.name, color: input.color ?? before.color }
    if (after.name === before.name && after.color === before.color) return record.nothing()
    await db.tags.update(after, { where: { id } }).catch(refuseTaken(after.name))
    record('tag.update', { id, spaceId: actor.spaceId }, { from: before, to: after })
  })
}

/** Deletes a tag and takes it off its files. Throws `not_found`. */
export async function deleteTag(db: Database, actor: Actor, id: number): Promise<void> {
  await findTag(db, actor.userId, id)
  await deleteLinks(db, writeActor(actor), 'file_tags', id)
  await db.write(writeActor(actor), async record => {
    await lockSpace(db, actor.spaceId)
    const tag = await findTag(db, actor.userId, id)
    await db.change('DELETE FROM tags WHERE id = $1', [tag.id])
    record('tag.delete', { id: tag.id, spaceId: actor.spaceId }, { name: tag.name, color: tag.color })
  })
}
