/** Changes: what has become of the places that one sees, in order. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { bytes, endpoint } from './endpoint.ts'
import { atMostUnits, limit, textId, textNumber, time } from './fields.ts'
import { maxFeedCursor, maxFollowingAge } from './limits.ts'

export const change = z.object({
  /** The tree in which it happened: one's own, another user's or a team folder. */
  space: z.int(),
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
    space: z.optional(textId),
    since: z.optional(z.string().check(atMostUnits(maxFeedCursor, 'Unknown cursor'))),
    limit,
  }),
).returns(
  z.object({ changes: z.array(change), cursor: z.string(), reset: z.boolean() }),
  about('List what has changed since a cursor, in the order of the changes'),
)

/** How long (ms) ago a follower read the folders. */
export const followingAge = z.optional(textNumber(0, maxFollowingAge))

/**
 * Server-sent events (text/event-stream): `change` with `{space, revision, folders}`, where `folders` are the ids of the
 * folders that show something new, null among them for the root of the own tree, and null for all of them where the
 * server cannot say; `session` with `{}` when the caller's rights or places have changed; `queue` with `{}`, to reviewers,
 * when the files that wait for approval have. With `age` (ms) it begins with what has changed in the folders for so long,
 * so that a caller who has just read them misses nothing.
 */
export const followChanges = endpoint('GET', '/events/stream', z.strictObject({ age: followingAge })).returns(
  bytes,
  about('Follow changes as server-sent events', { contentType: 'text/event-stream', errors: ['unavailable'] }),
)

/** The data of a `change` of the stream. */
export interface ChangeMessage {
  space: number
  revision: number
  folders: (number | null)[] | null
}
