/** Which events of a space somebody may learn of, and what of them. */
import type { Actor } from '../access/actor.ts'
import { isListed } from '../access/policy.ts'
import { findStandings, isInSpace, isOwn } from '../access/reach.ts'
import type { Standing } from '../access/standing.ts'
import type { Change } from '../api/changes.ts'
import type { Database } from '../db/database.ts'
import type { EventRow } from '../db/models/events.ts'
import { leaving, leftBy } from '../events/left.ts'
import { isOthersMark } from '../events/list.ts'
import { hideOutside, type SharedEvent } from '../events/outside.ts'
import { presentEvent } from '../events/present.ts'
import type { SpaceEvent } from '../events/revisions.ts'
import { findArrival } from '../files/arrival.ts'
import { type Found, findRowsById } from '../files/find.ts'
import type { ItemRow } from '../files/item-row.ts'

/**
 * What is told of an event: all of it; with a standing, what is inside of the place; `bare`, that the item has changed,
 * to those who may only look, or who see no more than that something is gone.
 */
type Told = 'all' | 'bare' | Standing

/** The items that some events are about, and the folders that these have left, as far as they exist. */
interface Scene {
  rows: ReadonlyMap<number, ItemRow>
  standings: ReadonlyMap<number, Standing>
}

const isAboutItem = ({ action }: EventRow): boolean => /^(file|folder|share|link)\./.test(action)

const asLive = (row: ItemRow): ItemRow => ({ ...row, deleted_at: null, trash_root_id: null })

async function findScene(db: Database, actor: Actor, events: readonly SpaceEvent[]): Promise<Scene> {
  const about = events.filter(isAboutItem)
  const ids = about.flatMap(row => [row.item_id, leftBy(presentEvent(row))]).filter(id => id !== null)
  const rows = await findRowsById(db, ids)
  return { rows, standings: await findStandings(db, actor, [...rows.values()]) }
}

/**
 * Opens what decides for one reader, who sees all of the spaces in `teams`. The function returns the change that each
 * event is for them, in the same order; null for one that they may not learn of.
 */
export function openShown(db: Database, actor: Actor, teams: ReadonlySet<number>) {
  const arrivals = new Map<number, Promise<number>>()

  /** Since when (ms) the events of an item are for the reader. */
  function findSince(item: Found<ItemRow>): Promise<number> {
    const known = arrivals.get(item.id) ?? findArrival(db, actor, item)
    arrivals.set(item.id, known)
    return known
  }

  /** An item of the event's space that the reader sees now, or saw while it was live, and saw when this happened. */
  async function see({ rows, standings }: Scene, event: SpaceEvent, id: number | null, wasLive: boolean) {
    const row = id === null ? undefined : rows.get(id)
    const standing = row === undefined ? undefined : standings.get(row.id)
    if (row === undefined || standing === undefined) return null
    if (!isInSpace({ spaceId: row.space_id }, event.space_id)) return null
    if (!isListed(actor, standing, wasLive ? asLive(row) : row)) return null
    const since = await findSince({ ...row, standing })
    return event.at < since ? null : { ...standing, since }
  }

  const isWhole = (row: SpaceEvent): boolean => isOwn(actor, row) || teams.has(row.space_id)

  /** Tells of an item that the reader does not see (any more). */
  async function tellLeft(scene: Scene, row: SpaceEvent): Promise<Told | null> {
    const item = row.item_id === null ? undefined : scene.rows.get(row.item_id)
    if (item === undefined) {
      // Nothing says any more whether it was shown: it may have been handed in, or have waited for approval.
      const isGone = row.action in leaving || row.action === 'file.delete'
      if (!isGone || !isOwn(actor, row)) return null
      return row.actor_id === actor.userId ? 'all' : 'bare'
    }
    const standing = await see(scene, row, leftBy(presentEvent(row)), true)
    // A file that the folder would not show to the reader was not shown there before.
    return standing !== null && isListed(actor, standing, asLive(item)) ? 'bare' : null
  }

  async function tell(scene: Scene, row: SpaceEvent): Promise<Told | null> {
    if (isOthersMark(actor, row)) return null
    if (!isAboutItem(row)) {
      if (isOwn(actor, row)) return 'all'
      return isWhole(row) && row.action.startsWith('space.') ? 'bare' : null
    }
    const standing = await see(scene, row, row.item_id, row.action in leaving)
    // An event of several items names none; only the marks of the own space have these.
    if (standing === null) return row.item_id === null && isOwn(actor, row) ? 'all' : tellLeft(scene, row)
    if (standing.rootId === null) return 'all'
    return standing.here.change || standing.above.change ? standing : 'bare'
  }

  return async (events: readonly SpaceEvent[]): Promise<(Change | null)[]> => {
    const scene = await findScene(db, actor, events)
    const told: (Told | null)[] = []
    for (const row of events) told.push(await tell(scene, row))
    const shared = events.flatMap((row, index): SharedEvent[] => {
      const standing = told[index] ?? null
      return standing === null || typeof standing === 'string' ? [] : [{ event: presentEvent(row), standing }]
    })
    const cut = new Map((await hideOutside(db, actor, shared)).map(event => [event.id, event]))
    return events.map((row, index) => {
      const how = told[index] ?? null
      if (how === null) return null
      const { space_id: space, revision } = row
      const { id, at, action, actor_id, actor_name, item_id, detail } = presentEvent(row)
      const change = { space, revision, at, action, item_id }
      if (how === 'bare') return { ...change, actor: null, detail: null }
      return { ...change, actor: { id: actor_id, name: actor_name }, detail: cut.get(id)?.detail ?? detail }
    })
  }
}
