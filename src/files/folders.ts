/** Creates folders. */

import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { createFolder as endpoint } from '../api/files.ts'
import { nameTaken } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { findFolderWithAncestors } from './find.ts'
import { findByName, refuseTooDeep } from './find-in-space.ts'
import { nameColumns } from './item-name.ts'
import { lockSpaceOf } from './lock-spaces.ts'
import { charge } from './space.ts'

/**
 * Creates a folder, or with `exist_ok` returns an existing one. Throws `name_taken`, `not_found` for the parent, and
 * `invalid_input` if the tree would become too deep.
 */
export function createFolder(
  db: Database,
  actor: Actor,
  input: ParsedInputOf<typeof endpoint>,
): Promise<{ id: number; isNew: boolean }> {
  return actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, input.parent_id ?? null)
    const {
      spaceId,
      folderId: parentId,
      ancestors,
    } = await findFolderWithAncestors(db, actor, input.parent_id ?? null, 'change')
    refuseTooDeep(ancestors, 1)
    const existing = await findByName(db, spaceId, parentId, input.name)
    if (existing !== undefined) {
      if (!input.exist_ok || existing.is_directory === 0) throw nameTaken(input.name)
      record.nothing()
      return { id: existing.id, isNew: false }
    }
    await charge(db, spaceId, 0, 1)
    const now = Date.now()
    const id = await db.insert(db.files, {
      space_id: spaceId,
      owner_id: actor.userId,
      parent_id: parentId,
      ...nameColumns(input.name, true),
      is_directory: 1,
      size: 0,
      modified_at: null,
      created_at: now,
      updated_at: now,
    })
    record('folder.create', { id, spaceId }, { name: input.name, parent_id: parentId })
    return { id, isNew: true }
  })
}
