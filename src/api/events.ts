/** The feed of changes: an item's activity, and the audit log. */
import * as z from 'zod/mini'
import { bytes, endpoint } from './endpoint.ts'
import { atMostUnits, cursor, limit, textId, time } from './fields.ts'

export const changeEvent = z.object({
  id: z.int(),
  at: time,
  /** Null for the server's own jobs. */
  actor_id: z.nullable(z.int()),
  /** The name as it was at that time. */
  actor_name: z.string(),
  /** The API key that was used, null for a session. */
  key_id: z.nullable(z.int()),
  address: z.nullable(z.string()),
  /** Noun and verb: `file.rename`. */
  action: z.string(),
  /** The row of the noun that the action begins with. */
  item_id: z.nullable(z.int()),
  /** What the change was; its fields hang on the action. */
  detail: z.nullable(z.record(z.string(), z.unknown())),
})
export type ChangeEvent = z.output<typeof changeEvent>

export const eventList = z.object({ events: z.array(changeEvent), next_cursor: z.nullable(z.string()) })
export type EventList = z.output<typeof eventList>

const instant = z.iso.datetime({ offset: true, error: 'Expected an ISO 8601 time' })

/** `from` and `to` are both included. */
const filters = {
  /** A username as it was. */
  actor: z.optional(z.string().check(atMostUnits(256, 'The name is longer than 256 characters'))),
  /** A whole action, or its noun: `file`. */
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

/** The newest first. */
export const listAudit = endpoint('GET', '/audit', z.strictObject({ ...filters, limit, cursor })).returns(eventList)

/** All that fits, as CSV. */
export const exportAudit = endpoint('GET', '/audit/export', z.strictObject(filters)).returns(bytes)
