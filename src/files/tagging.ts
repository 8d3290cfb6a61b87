/** Puts tags on files and removes them; `updated_at` stays, because content, name and folder do not change. */

import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { ItemTag } from '../api/items.ts'
import { maxFileTags } from '../api/limits.ts'
import type { tagFiles as endpoint } from '../api/tags.ts'
import { type AppError, invalidField } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { Recorder } from '../db/recorder.ts'
import { isOneOf } from '../db/values.ts'
import { findFullOfTags, findTag, findTagged } from '../tags/find.ts'
import { findItems, findPresent, missing } from './find-many.ts'
import { lockSpaceOf } from './lock-spaces.ts'
import { recordMany } from './record-many.ts'

type Tagging = ParsedInputOf<typeof endpoint>

interface Act {
  action: 'file.tag' | 'file.untag'
  /** Whether the act changes a file, given whether the file has the tag. */
  changes: (isTagged: boolean) => boolean
  /** Of these files, those that cannot get another tag. */
  findFull: (db: Database, userId: number, fileIds: readonly number[]) => Promise<ReadonlySet<number>>
  apply: (db: Database, tagId: number, fileIds: readonly number[]) => Promise<unknown>
}

const putOn: Act = {
  action: 'file.tag',
  changes: isTagged => !isTagged,
  findFull: findFullOfTags,
  apply: (db, tag_id, fileIds) =>
    db.insertAll(
      db.fileTags,
      fileIds.map(file_id => ({ tag_id, file_id })),
    ),
}

const takeOff: Act = {
  action: 'file.untag',
  changes: isTagged => isTagged,
  findFull: async () => new Set(),
  apply: (db, tagId, fileIds) =>
    db.change(`DELETE FROM file_tags WHERE tag_id = $1 AND ${isOneOf('file_id', fileIds, 2)}`, [tagId, ...fileIds]),
}

const noFolders = (): AppError => invalidField('file_ids', 'Folders cannot be tagged')
const noRoom = (): AppError => invalidField('file_ids', `A file can have at most ${maxFileTags} tags`)

/** Of the given files, those that the act would change, and those among them that have no room for the tag. */
async function findChanging(db: Database, { userId }: Actor, tag: ItemTag, ids: readonly number[], act: Act) {
  const tagged = await findTagged(db, tag.id, ids)
  const changing = ids.filter(id => act.changes(tagged.has(id)))
  return { changing, full: changing.length === 0 ? new Set<number>() : await act.findFull(db, userId, changing) }
}

async function applyTo(db: Database, record: Recorder, actor: Actor, tag: ItemTag, ids: readonly number[], act: Act) {
  if (ids.length > 0) await act.apply(db, tag.id, ids)
  recordMany(record, act.action, actor.root.spaceId, ids, { tag_id: tag.id, name: tag.name })
}

/** Changes all of the files or none. */
function changeTagging(db: Database, actor: Actor, input: Tagging, act: Act): Promise<number> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, null, ...input.file_ids)
    const tag = await findTag(db, actor.userId, input.tag_id)
    const files = await findItems(db, actor, input.file_ids, 'see')
    if (files.some(file => file.is_directory === 1)) throw noFolders()
    const ids = files.map(file => file.id)
    const { changing, full } = await findChanging(db, actor, tag, ids, act)
    if (full.size > 0) throw noRoom()
    await applyTo(db, record, actor, tag, changing, act)
    return changing.length
  })
}

/**
 * Puts a tag on all given items that can have it, or removes it. Returns an error for each id, or null if it succeeded.
 * Throws `not_found` for the tag; nothing has changed then.
 */
export function tagEach(db: Database, actor: Actor, input: Tagging, isOn: boolean): Promise<(AppError | null)[]> {
  const act = isOn ? putOn : takeOff
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, null, ...input.file_ids)
    const tag = await findTag(db, actor.userId, input.tag_id)
    const present = await findPresent(db, actor, input.file_ids, 'see')
    const items = new Map(present.items.map(item => [item.id, item]))
    const ids = [...items.values()].filter(item => item.is_directory === 0).map(item => item.id)
    const { changing, full } = await findChanging(db, actor, tag, ids, act)
    const possible = changing.filter(id => !full.has(id))
    await applyTo(db, record, actor, tag, possible, act)
    return input.file_ids.map(id => {
      const item = items.get(id)
      if (item === undefined) return missing(present, id)
      if (item.is_directory === 1) return noFolders()
      return full.has(id) ? noRoom() : null
    })
  })
}

/**
 * Puts a tag on live files of the actor; returns how many did not have it before. Throws `not_found`, and
 * `invalid_input` for folders and for a file that has no room for another tag; nothing has changed then.
 */
export const tagFiles = (db: Database, actor: Actor, input: Tagging): Promise<number> =>
  changeTagging(db, actor, input, putOn)

/** Removes a tag from files; returns how many had it. Throws as tagFiles. */
export const untagFiles = (db: Database, actor: Actor, input: Tagging): Promise<number> =>
  changeTagging(db, actor, input, takeOff)
