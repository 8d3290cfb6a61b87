/** Events: an item's activity, and the audit log. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { bytes, endpoint } from './endpoint.ts'
import { atMostUnits, cursor, limit, textId, time } from './fields.ts'

export const changeEvent = z.object({
  id: z.int(),
  at: time,
  /** Null for the server's own jobs. */
  actor_id: z.nullable(z.int()),
  /** The username at the time of the event. */
  actor_name: z.string(),
  /** The API key that was used; null for a session. */
  key_id: z.nullable(z.int()),
  address: z.nullable(z.string()),
  /** Noun and verb: `file.rename`; one of `eventActions`, unless another version recorded it. */
  action: z.string(),
  /** The id of what changed; the noun of the action says which table it is from. */
  item_id: z.nullable(z.int()),
  /** Details of the change; the fields depend on the action. */
  detail: z.nullable(z.record(z.string(), z.unknown())),
})
export type ChangeEvent = z.output<typeof changeEvent>

export const eventList = z.object({ events: z.array(changeEvent), next_cursor: z.nullable(z.string()) })
export type EventList = z.output<typeof eventList>

const instant = z.iso.datetime({ offset: true, error: 'Expected an ISO 8601 time' })

/** `from` and `to` are inclusive. */
const filters = {
  /** The username at the time of the event. */
  actor: z.optional(z.string().check(atMostUnits(256, 'The name is longer than 256 characters'))),
  /** A whole action, or only its noun, such as `file`. */
  action: z.optional(
    z
      .string()
      .check(
        atMostUnits(64, 'Unknown action'),
        z.regex(/^[a-z][a-z-]*(\.[a-z-]+)?$/, 'Expected an action such as file.rename'),
      ),
  ),
  item_id: z.optional(textId),
  from: z.optional(instant),
  to: z.optional(instant),
}

/** Newest first. */
export const listAudit = endpoint('GET', '/audit', z.strictObject({ ...filters, limit, cursor })).returns(
  eventList,
  about('List the events of the server, the newest first'),
)

/** All matching events as CSV. */
export const exportAudit = endpoint('GET', '/audit/export', z.strictObject(filters)).returns(
  bytes,
  about('Download the events as CSV, as many as fit', { contentType: 'text/csv' }),
)
