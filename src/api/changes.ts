/** Changes: what has become of the places that one sees, in order. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { atMostUnits, limit, textId, time } from './fields.ts'
import { maxFeedCursor } from './limits.ts'

export const change = z.object({
  space_id: z.int(),
  /** The space's number of this change: changes of one step share it, and a later one has a higher number. */
  revision: z.int(),
  at: time,
  /** One of `eventActions`, such as `file.rename`. */
  action: z.string(),
  /** Null for the server's own jobs, and where one may only look. */
  actor: z.nullable(z.object({ id: z.nullable(z.int()), name: z.string() })),
  /** The id of what changed; the noun of the action says which table it is from. */
  item_id: z.nullable(z.int()),
  /** Details of the change; the fields depend on the action. Null where one may only look. */
  detail: z.nullable(z.record(z.string(), z.unknown())),
})
export type Change = z.output<typeof change>

/** Without `since` there are no changes, and the cursor is the present end. `reset`: start anew from the cursor. */
export const listChanges = endpoint(
  'GET',
  '/changes',
  z.strictObject({
    space_id: z.optional(textId),
    since: z.optional(z.string().check(atMostUnits(maxFeedCursor, 'Unknown cursor'))),
    limit,
  }),
).returns(
  z.object({ changes: z.array(change), cursor: z.string(), reset: z.boolean() }),
  about('List what has changed since a cursor, in the order of the changes'),
)
