/** Locks the spaces that a write is about. */
import type { Principal } from '../access/actor.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { isOneOf } from '../db/values.ts'

/**
 * Locks the spaces of some items (null: the root of the actor's tree) until the commit, so that what the write reads
 * after it does not change: neither the items nor what is shared. Two writes lock in the same order. On MariaDB an item
 * may move to another space while the write waits.
 */
export async function lockSpaceOf(
  db: Database,
  actor: Pick<Principal, 'root'>,
  ...ids: readonly (number | null)[]
): Promise<void> {
  if (db.dialect !== 'mariadb') return
  const locked = new Set<number>()
  for (;;) {
    const missing = (await findSpaceIds(db, actor, ids)).filter(id => !locked.has(id))
    if (missing.length === 0) return
    for (const id of missing.sort((one, other) => one - other)) {
      await lockSpace(db, id)
      locked.add(id)
    }
  }
}

async function findSpaceIds(
  db: Database,
  { root }: Pick<Principal, 'root'>,
  ids: readonly (number | null)[],
): Promise<number[]> {
  const wanted = [...new Set(ids.map(id => id ?? root?.folderId ?? null))]
  const items = wanted.filter(id => id !== null)
  const rows =
    items.length === 0
      ? []
      : await db.rows<{ space_id: number }>(`SELECT DISTINCT space_id FROM files WHERE ${isOneOf('id', items)}`, items)
  const found = rows.map(({ space_id }) => space_id)
  return wanted.includes(null) && root !== null ? [...new Set([...found, root.spaceId])] : found
}
