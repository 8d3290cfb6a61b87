/** Reads events, newest first: an item's activity, and the audit log. */
import type { Actor } from '../access/actor.ts'
import { shownRow } from '../access/policy.ts'
import { everything, type Standing } from '../access/standing.ts'
import type { OutputOf, ParsedInputOf } from '../api/endpoint.ts'
import { type EventAction, eventActions } from '../api/event-actions.ts'
import type { listAudit as auditEndpoint, ChangeEvent, EventList } from '../api/events.ts'
import type { listFileEvents as activityEndpoint } from '../api/files.ts'
import { maxEventPageBytes, wholeListSize } from '../api/limits.ts'
import type { listLinkEvents as linkEndpoint } from '../api/links.ts'
import type { Bind } from '../db/connections.ts'
import { type CursorValue, decodeCursor, encodeCursor } from '../db/cursor.ts'
import type { Database } from '../db/database.ts'
import { afterCondition, createBinds } from '../db/keyset.ts'
import type { EventRow } from '../db/models/events.ts'
import { isOneOfMany } from '../db/values.ts'
import { eventOrder, readNewest } from './newest.ts'
import { hideOutside } from './outside.ts'
import { presentEvent } from './present.ts'

type AuditInput = ParsedInputOf<typeof auditEndpoint>

interface EventQuery {
  /** The name that a cursor is bound to; other filters give another name. */
  list: string
  conditions: readonly string[]
  /** The values of `$1`, `$2`, … in the conditions. */
  values: readonly Bind[]
  /** The actions to read, where an index has each by itself; default: all. */
  actions?: readonly EventAction[]
  /** Whether an event is on the page; default: every one. */
  isShown?(row: EventRow): boolean
}

/** Rows per query. Between two queries the event loop serves other requests, so that no page blocks them long. */
const sliceSize = 250
/** Queries per page. A page of events that are all shown takes fewer; one among others' marks ends early. */
const slicesPerPage = 40

/** The first `count` rows, after a position if it is given. */
function readSlice(
  db: Database,
  { conditions, values, actions }: EventQuery,
  after: readonly CursorValue[] | null,
  count: number,
): Promise<EventRow[]> {
  const binds = createBinds(...values)
  const all = after === null ? conditions : [...conditions, afterCondition(eventOrder, after, 'desc', binds.add)]
  const shared = all.length === 0 ? '1 = 1' : all.join(' AND ')
  const groups = actions?.map(action => `${shared} AND action = '${action}'`) ?? [shared]
  return readNewest(db, groups, binds.values, count)
}

/** The approximate bytes of an event in an answer besides its two texts. */
const bytesBeside = 250
export const bytesOf = ({ actor_name, detail }: EventRow): number =>
  bytesBeside + Buffer.byteLength(actor_name) + Buffer.byteLength(detail ?? '')

const positionOf = ({ at, id }: EventRow): CursorValue[] => [at, id]

/**
 * The page after `cursor`: the requested number of events; fewer, even none, where they take too many bytes or lie among
 * too many that are not shown.
 */
async function readPage(
  db: Database,
  query: EventQuery,
  { limit: count = wholeListSize, cursor }: { limit?: number | undefined; cursor?: string | undefined },
): Promise<EventList> {
  const { list, isShown = () => true } = query
  let end = cursor === undefined ? null : decodeCursor(cursor, [{ name: list, form: ['number', 'number'] }]).after
  const events: ChangeEvent[] = []
  let left = maxEventPageBytes
  for (let slice = 0; slice < slicesPerPage; slice++) {
    // One row more than the page shows whether another page follows.
    const wanted = slice === 0 ? Math.min(sliceSize, count + 1) : sliceSize
    const rows = await readSlice(db, query, end, wanted)
    for (const row of rows) {
      if (isShown(row)) {
        left -= bytesOf(row)
        const isFull = events.length === count || (left < 0 && events.length > 0)
        if (isFull && end !== null) return { events, next_cursor: encodeCursor(list, end) }
        events.push(presentEvent(row))
      }
      end = positionOf(row)
    }
    if (rows.length < wanted) return { events, next_cursor: null }
  }
  return { events, next_cursor: end === null ? null : encodeCursor(list, end) }
}

/** Read actions, which only the audit log shows: reading does not change an item. */
const readings: readonly EventAction[] = [
  'file.download',
  'file.preview',
  'file.view',
  'folder.download',
  'link.refuse',
]

const marks: readonly EventAction[] = ['file.tag', 'file.untag', 'file.favorite', 'file.unfavorite']

/** Marks are private to the user who sets them, also on others' items and after a transfer to another user. */
export const isOthersMark = (actor: Actor, { action, actor_id }: Pick<EventRow, 'action' | 'actor_id'>): boolean =>
  actor_id !== actor.userId && marks.some(mark => mark === action)

/** What an item's activity shows. The action says which table `item_id` is of: a tag may have the same number. */
const activities = (Object.keys(eventActions) as EventAction[]).filter(
  action => /^(file|folder|share|link)\./.test(action) && !readings.includes(action),
)

/** Hides other users' addresses and keys; only the audit log shows these. */
function hideOthers(actor: Actor, event: ChangeEvent): ChangeEvent {
  return event.actor_id === actor.userId ? event : { ...event, key_id: null, address: null }
}

/**
 * The events of a file or folder on which the actor has the standing that `findStanding` reads. Outside the actor's own
 * tree, these are only events since `since` of that. Throws as `findStanding`, and `invalid_input` for
 * another list's cursor.
 */
export async function listItemEvents(
  db: Database,
  actor: Actor,
  findStanding: () => Promise<Standing>,
  input: ParsedInputOf<typeof activityEndpoint>,
): Promise<EventList> {
  const { since, rootId } = await findStanding()
  const query: EventQuery = {
    list: `activity ${input.id}`,
    conditions: ['item_id = $1', ...(rootId === null ? [] : ['at >= $2'])],
    values: rootId === null ? [input.id] : [input.id, since],
    actions: activities,
    isShown: row => !isOthersMark(actor, row),
  }
  const { events, next_cursor } = await readPage(db, query, input)
  const shown = events.map(event => hideOthers(actor, event))
  if (rootId === null) return { events: shown, next_cursor }
  // The item may have been elsewhere before the events were read.
  const standing = await findStanding()
  const shared = shown.filter(({ at }) => Date.parse(at) >= standing.since).map(event => ({ event, standing }))
  return { events: await hideOutside(db, actor, shared), next_cursor }
}

/** Builds SQL conditions from the filters. An action without a dot is a noun and matches all its verbs. */
function auditConditions(input: AuditInput, add: (value: Bind) => string): string[] {
  const { actor, action, item_id, from, to } = input
  const isNoun = action?.includes('.') === false
  const filters: [string, Bind | undefined][] = [
    ['actor_name =', actor?.normalize('NFC')],
    [isNoun ? 'action LIKE' : 'action =', isNoun ? `${action}.%` : action],
    ['item_id =', item_id],
    ['at >=', from === undefined ? undefined : Date.parse(from)],
    ['at <=', to === undefined ? undefined : Date.parse(to)],
  ]
  return filters.flatMap(([condition, value]) => (value === undefined ? [] : [`${condition} ${add(value)}`]))
}

/**
 * Events of all users, or of the user `actorId` under any name. Throws `invalid_input` for a cursor made with other
 * filters.
 */
export function listAudit(db: Database, input: AuditInput, actorId?: number): Promise<EventList> {
  const { actor = actorId, action, item_id, from, to } = input
  const binds = createBinds()
  const conditions = auditConditions(input, binds.add)
  if (actorId !== undefined) conditions.push(`actor_id = ${binds.add(actorId)}`)
  const list = `audit ${JSON.stringify([actor, action, item_id, from, to])}`
  return readPage(db, { list, conditions, values: binds.values }, input)
}

/** Of the items that events are about, those that wait for approval, or were rejected, and are not shown to the user. */
async function findHeld(db: Database, events: readonly ChangeEvent[], userId: number): Promise<ReadonlySet<number>> {
  const ids = [...new Set(events.flatMap(({ item_id }) => item_id ?? []))]
  const { condition, values } = isOneOfMany(db.dialect, 'f.id', ids)
  const rows = await db.rows<{ id: number }>(
    `SELECT f.id FROM files f WHERE ${condition} AND NOT ${shownRow(everything, `$${values.length + 1}`)}`,
    [...values, userId],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * What a link's visitors did, the newest first; of held files only that they came. Throws `invalid_input` for another
 * list's cursor.
 */
export async function listLinkEvents(
  db: Database,
  { userId }: Actor,
  input: ParsedInputOf<typeof linkEndpoint>,
): Promise<OutputOf<typeof linkEndpoint>> {
  const query = { list: `link ${input.id}`, conditions: ['link_id = $1'], values: [input.id] }
  const { events, next_cursor } = await readPage(db, query, input)
  const held = await findHeld(db, events, userId)
  return {
    events: events.map(({ id, at, address, action, detail, item_id }) => {
      const isHeld = item_id !== null && held.has(item_id)
      return { id, at, address, action, detail: isHeld ? null : detail }
    }),
    next_cursor,
  }
}
