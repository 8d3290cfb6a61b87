/** What of an event is told to somebody to whom the item is shared: nothing from outside of the place. */
import type { Actor } from '../access/actor.ts'
import { findStandings } from '../access/reach.ts'
import type { Standing } from '../access/standing.ts'
import type { ChangeEvent } from '../api/events.ts'
import type { Database } from '../db/database.ts'

/** An event, and what somebody may do with the item that it is about, since when. */
export interface SharedEvent {
  event: ChangeEvent
  standing: Standing
}

/** Details that name an item or a folder, which may be outside of the place in which the event is shown. */
const namedIds = ['from', 'to', 'parent_id'] as const

const idsIn = ({ event: { detail } }: SharedEvent): number[] =>
  namedIds.map(name => detail?.[name]).filter(id => typeof id === 'number')

/** Of the ids that the events name, those of items that the actor can reach. */
async function findReachable(db: Database, actor: Actor, events: readonly SharedEvent[]): Promise<ReadonlySet<number>> {
  const ids = [...new Set(events.flatMap(idsIn))]
  const rows = ids.map(id => ({ id, space_id: 0, is_directory: 1 as const }))
  return new Set((await findStandings(db, actor, rows)).keys())
}

/** The details that a reader to whom the item is shared does not see, but for the ids. */
function hiddenDetails(actor: Actor, { event, standing }: SharedEvent): string[] {
  const { action, at, actor_id } = event
  // What a copy was made of may have another name, elsewhere.
  if (action === 'file.copy') return ['from']
  // The write that brought the item here gave it a new name, so the old one is from where it was before.
  if (action === 'file.rename' && Date.parse(at) <= standing.since) return ['from']
  // A link's label is for those who manage it.
  const isTheirs = standing.here.manage || actor_id === actor.userId
  return action.startsWith('link.') && !isTheirs ? ['label'] : []
}

/** The events as somebody sees them to whom their items are shared, in the same order. */
export async function hideOutside(db: Database, actor: Actor, events: readonly SharedEvent[]): Promise<ChangeEvent[]> {
  const reachable = await findReachable(db, actor, events)
  return events.map(shared => {
    const { detail } = shared.event
    const ids = namedIds.filter(name => typeof detail?.[name] === 'number' && !reachable.has(Number(detail[name])))
    const hidden: string[] = [...ids, ...hiddenDetails(actor, shared)]
    const kept = Object.entries(detail ?? {}).filter(([name]) => !hidden.includes(name))
    return { ...shared.event, key_id: null, address: null, detail: detail === null ? null : Object.fromEntries(kept) }
  })
}
