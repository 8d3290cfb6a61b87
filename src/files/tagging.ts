/** Puts a tag on files and takes it off; their `updated_at` stays, for neither content, name nor place changes. */
import { type Actor, writeActor } from '../access/actor.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { tagFiles as endpoint } from '../api/tags.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { isOneOf } from '../db/values.ts'
import { invalidField } from '../errors.ts'
import { findTag, findTagged } from '../tags/find.ts'
import { findItems } from './find.ts'

type Tagging = ParsedInputOf<typeof endpoint>

interface Act {
  action: 'file.tag' | 'file.untag'
  /** Which files the act finds something to do on, by whether they bear the tag. */
  changes: (isTagged: boolean) => boolean
  apply: (db: Database, tagId: number, fileIds: readonly number[]) => Promise<unknown>
}

const putOn: Act = {
  action: 'file.tag',
  changes: isTagged => !isTagged,
  apply: (db, tag_id, fileIds) =>
    db.insertAll(
      db.fileTags,
      fileIds.map(file_id => ({ tag_id, file_id })),
    ),
}

const takeOff: Act = {
  action: 'file.untag',
  changes: isTagged => isTagged,
  apply: (db, tagId, fileIds) =>
    db.change(`DELETE FROM file_tags WHERE tag_id = $1 AND ${isOneOf('file_id', fileIds, 2)}`, [tagId, ...fileIds]),
}

/** All of the files or none; each that changes gets its own event, for its activity. */
function changeTagging(db: Database, actor: Actor, input: Tagging, act: Act): Promise<number> {
  return db.write(writeActor(actor), async record => {
    await lockSpace(db, actor.spaceId)
    const tag = await findTag(db, actor.userId, input.tag_id)
    const files = await findItems(db, actor.spaceId, input.file_ids)
    if (files.some(file => file.is_directory === 1)) throw invalidField('file_ids', 'Folders cannot be tagged')
    const ids = files.map(file => file.id)
    const tagged = await findTagged(db, tag.id, ids)
    const changed = ids.filter(id => act.changes(tagged.has(id)))
    if (changed.length === 0) {
      record.nothing()
      return 0
    }
    await act.apply(db, tag.id, changed)
    for (const id of changed) record(act.action, { id, spaceId: actor.spaceId }, { tag_id: tag.id, name: tag.name })
    return changed.length
  })
}

/**
 * Puts a tag on live files of the actor's own; gives back how many it was new to. Throws `not_found`, and
 * `invalid_input` for folders; then nothing has changed.
 */
export const tagFiles = (db: Database, actor: Actor, input: Tagging): Promise<number> =>
  changeTagging(db, actor, input, putOn)

/** Takes a tag off; gives back how many bore it. Throws as tagFiles does. */
export const untagFiles = (db: Database, actor: Actor, input: Tagging): Promise<number> =>
  changeTagging(db, actor, input, takeOff)
