/** Locks the spaces that a write is about. */
import type { Principal } from '../access/actor.ts'
import { findStandings, isOwn } from '../access/reach.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import { findRowsById } from './find.ts'

/**
 * Locks the spaces of some items (null: the root of the actor's tree) until the commit, so that what the write reads
 * after it does not change: neither the items nor what is shared. The actor's own space comes first: while the write waits
 * for it, it keeps nobody else waiting. On MariaDB an item may move to another space while the write waits.
 */
export async function lockSpaceOf(db: Database, actor: Principal, ...ids: readonly (number | null)[]): Promise<void> {
  if (db.dialect !== 'mariadb') return
  const locked = new Set<number>()
  for (;;) {
    const missing = (await findSpaceIds(db, actor, ids)).filter(id => !locked.has(id))
    if (missing.length === 0) return
    const isLater = (id: number) => Number(id !== actor.root?.spaceId)
    for (const id of missing.sort((one, other) => isLater(one) - isLater(other) || one - other)) {
      await lockSpace(db, id)
      locked.add(id)
    }
  }
}

/** The spaces of the items. Of several, only those where the actor sees one: who knows ids alone locks nothing by them. */
async function findSpaceIds(db: Database, actor: Principal, ids: readonly (number | null)[]): Promise<number[]> {
  const { root } = actor
  const wanted = ids.map(id => id ?? root?.folderId ?? null)
  const rows = [
    ...(
      await findRowsById(
        db,
        wanted.filter(id => id !== null),
      )
    ).values(),
  ]
  const rootSpace = wanted.includes(null) && root !== null ? [root.spaceId] : []
  const all = new Set([...rootSpace, ...rows.map(({ space_id }) => space_id)])
  if (all.size < 2) return [...all]
  const standings = await findStandings(
    db,
    actor,
    rows.filter(row => !isOwn(actor, row)),
  )
  const seen = rows.filter(row => isOwn(actor, row) || standings.has(row.id))
  return [...new Set([...rootSpace, ...seen.map(({ space_id }) => space_id)])]
}
