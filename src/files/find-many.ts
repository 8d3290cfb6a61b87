/** Looks up several items that the caller named together. */
import type { Principal } from '../access/actor.ts'
import { isLive, isShown } from '../access/policy.ts'
import { judgeAll } from '../access/reach.ts'
import type { Need } from '../access/standing.ts'
import { InTransit } from '../access/transit.ts'
import { type AppError, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { type Found, findRowsById, requireNeed } from './find.ts'
import type { ItemRow } from './item-row.ts'
import { addStanding } from './surroundings.ts'

interface Present {
  /** The live items that the actor can reach, in the order of their ids and without duplicates. */
  items: Found<ItemRow>[]
  /** Those that the actor can reach again when their transfer has ended. */
  inTransit: ReadonlySet<number>
}

/** Of some ids, what is there for the actor. Throws `forbidden`. */
export async function findPresent(
  db: Database,
  actor: Principal,
  ids: readonly number[],
  need: Need,
): Promise<Present> {
  const rows = await findRowsById(db, ids)
  const { found, inTransit } = await judgeAll(db, actor, [...rows.values()])
  const items = [...new Set(ids)].flatMap(id => {
    const [row, standing] = [rows.get(id), found.get(id)]
    const isThere = row !== undefined && standing !== undefined && isLive(row) && isShown(actor, standing, row)
    return isThere ? [addStanding(row, standing)] : []
  })
  for (const row of items) requireNeed(actor, row, need)
  return { items, inTransit }
}

/** The error for an id whose item is not among those present. */
export const missing = ({ inTransit }: Present, id: number): AppError =>
  inTransit.has(id) ? new InTransit() : notFound('File')

/** The items with some ids. Throws `forbidden`, and `unavailable` or `not_found` if one is not there. */
export async function findItems(
  db: Database,
  actor: Principal,
  ids: readonly number[],
  need: Need,
): Promise<Found<ItemRow>[]> {
  const { items, inTransit } = await findPresent(db, actor, ids, need)
  if (inTransit.size > 0) throw new InTransit()
  if (items.length < new Set(ids).size) throw notFound('File')
  return items
}
