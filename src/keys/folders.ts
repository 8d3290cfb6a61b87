/** The folders that keys are for. */
import type { Actor } from '../access/actor.ts'
import type { FileItem } from '../api/items.ts'
import type { Database } from '../db/database.ts'
import { findPresent } from '../files/find-many.ts'
import { presentItems } from '../files/present.ts'
import type { KeyRow } from './find.ts'

/** The live folders of some keys that the actor sees, each once; null if the actor may not read files. */
export async function findKeyFolders(db: Database, actor: Actor, keys: readonly KeyRow[]): Promise<FileItem[] | null> {
  if (!actor.permissions.has('files:read')) return null
  const ids = keys.flatMap(({ scope_item_id }) => scope_item_id ?? [])
  const { items } = await findPresent(db, actor, ids, 'see')
  return (await presentItems(db, actor, items)).items
}
