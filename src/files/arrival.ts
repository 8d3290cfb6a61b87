/** Finds since when an item is in the place in which somebody sees it: what happened to it elsewhere is not theirs. */
import type { Actor } from '../access/actor.ts'
import { findStandings } from '../access/reach.ts'
import type { Need, Standing } from '../access/standing.ts'
import type { Database } from '../db/database.ts'
import { findMoves, mostMoves } from '../events/moves.ts'
import { type Found, findItem } from './find.ts'
import type { ItemRow } from './item-row.ts'
import { findFoldersAbove } from './paths.ts'

/** How often the folders are followed from which something was moved inside of the place. */
const mostRounds = 10

async function findReachable(db: Database, actor: Actor, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const rows = [...new Set(ids)].map(id => ({ id, space_id: 0, is_directory: 1 as const }))
  return new Set((await findStandings(db, actor, rows)).keys())
}

/**
 * The time (ms) since which an item is shared with the actor, or at which it came into the place, if that is later: the
 * last time that it, or a folder in which it was there, was moved from a folder that the actor does not reach. Where
 * there are too many moves to look through, a later time.
 */
export async function findArrival(db: Database, actor: Actor, item: Found<ItemRow>): Promise<number> {
  const { rootId, since } = item.standing
  if (rootId === null || item.id === rootId) return since
  const known = new Set<number>()
  /** The ids below the root of the place; of a folder that is elsewhere within reach, all. They are told to nobody. */
  const idsAbove = async (id: number) => {
    const ids = (await findFoldersAbove(db, id)).map(folder => folder.id)
    return ids.slice(ids.indexOf(rootId) + 1)
  }
  let ids = [item.id, ...(item.parent_id === null ? [] : await idsAbove(item.parent_id))]
  let arrival = since
  for (let round = 0; ids.length > 0; round++) {
    for (const id of ids) known.add(id)
    const moves = await findMoves(db, ids, arrival)
    const reachable = await findReachable(
      db,
      actor,
      moves.map(({ from }) => from),
    )
    const isCut = round === mostRounds || moves.length === mostMoves
    for (const { at, from } of moves) if (isCut || !reachable.has(from)) arrival = Math.max(arrival, at)
    const inside = new Set(moves.filter(({ at, from }) => at > arrival && !known.has(from)).map(({ from }) => from))
    ids = []
    for (const id of inside) ids.push(...(await idsAbove(id)).filter(one => !known.has(one)))
  }
  return arrival
}

/** What the actor may do with a live item, since it arrived. Throws `not_found` and `forbidden`. */
export async function findStandingSince(db: Database, actor: Actor, id: number, need: Need): Promise<Standing> {
  const item = await findItem(db, actor, id, need)
  return { ...item.standing, since: await findArrival(db, actor, item) }
}
