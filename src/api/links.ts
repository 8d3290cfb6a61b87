/** Links: a file or folder for somebody without an account, as its makers and managers see them. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { cursor, id, limit, lineOfText, newPassword, onlyId, textFlag, textId, time, wholeNumber } from './fields.ts'
import { maxLabelLength, maxLinkDownloads } from './limits.ts'
import { linkLevels } from './link-levels.ts'
import { person } from './person.ts'

export const linkLevel = z.enum(linkLevels)

/**
 * Why a link does not work: links are turned off, it is paused, its time is over, its downloads are used up, who made it
 * may no longer give this access, its item is in the trash or waits for approval, or it keeps no longer to a rule in
 * force (a password, an end).
 */
export const linkReasons = ['off', 'paused', 'expired', 'used_up', 'maker', 'item', 'rules'] as const
export type LinkReason = (typeof linkReasons)[number]

export const link = z.object({
  id: z.int(),
  item_id: z.int(),
  /** Null where the caller may not see what the link is on, and while that is in the trash. */
  item: z.nullable(
    z.object({ name: z.string(), path: z.string(), is_directory: z.boolean(), mime_type: z.nullable(z.string()) }),
  ),
  /** Null if it cannot be read any more, or is not the caller's to see. */
  token: z.nullable(z.string()),
  /** The address: whole with `--public-url`, else the path alone. Null without a token. */
  url: z.nullable(z.string()),
  level: linkLevel,
  label: z.nullable(z.string()),
  has_password: z.boolean(),
  /** Null: never. */
  expires_at: z.nullable(time),
  /** Null: no limit. */
  max_downloads: z.nullable(z.int()),
  /** Bytes that may come through it in all; null: no limit. */
  max_bytes: z.nullable(z.int()),
  /** Whether uploaders give their name, which then begins the name of their files. */
  ask_name: z.boolean(),
  is_active: z.boolean(),
  /** How often its page was opened. */
  opened: z.int(),
  downloads: z.int(),
  uploads: z.int(),
  /** Bytes that have come through it. */
  bytes_in: z.int(),
  last_used_at: z.nullable(time),
  created_at: time,
  works: z.boolean(),
  /** Null if it works. */
  reason: z.nullable(z.enum(linkReasons)),
  /** Null if the user is gone. */
  made_by: z.nullable(person),
})
export type Link = z.output<typeof link>

const linkAnswer = z.object({ link })

const label = z.nullable(lineOfText('Label', maxLabelLength))
const expiresAt = z.nullable(z.iso.datetime({ offset: true, error: 'Expected an ISO 8601 time' }))
const maxDownloads = z.nullable(
  z
    .int('Expected a whole number')
    .check(
      z.minimum(1, 'Expected a whole number of 1 or more'),
      z.maximum(maxLinkDownloads, `At most ${maxLinkDownloads}`),
    ),
)
const maxBytes = z.nullable(wholeNumber)

const options = {
  label: z.optional(label),
  password: z.optional(z.nullable(newPassword)),
  expires_at: z.optional(expiresAt),
  max_downloads: z.optional(maxDownloads),
  max_bytes: z.optional(maxBytes),
  ask_name: z.optional(z.boolean()),
}

export const createLink = endpoint(
  'POST',
  '/links',
  z.strictObject({ item_id: id, level: linkLevel, ...options }),
).returns(
  linkAnswer,
  about('Make a link to a file or folder', {
    remark: 'Folders take `upload` and `both`; a team folder itself takes no link.',
    errors: ['not_found'],
    statuses: [201],
  }),
)

export const listLinks = endpoint(
  'GET',
  '/links',
  z.strictObject({ item_id: z.optional(textId), all: textFlag, limit, cursor }),
).returns(
  z.object({ links: z.array(link), next_cursor: z.nullable(z.string()) }),
  about("List the caller's links, the newest first", {
    remark:
      'With `item_id` the links of that item. With `all=true`, for `settings:manage`, the links of all users without the names of their items.',
    errors: ['not_found'],
  }),
)

/** What is not given stays; null takes a label, a password, an end or a limit away. */
export const updateLink = endpoint(
  'PUT',
  '/links/:id',
  z.strictObject({
    id: textId,
    level: z.optional(linkLevel),
    ...options,
    is_active: z.optional(z.boolean()),
    take_over: z.optional(z.literal(true)),
  }),
).returns(
  linkAnswer,
  about('Change, pause or extend a link', {
    remark: '`is_active: false` pauses it; with `take_over: true` the caller answers for it from now on.',
  }),
)

export const deleteLink = endpoint('DELETE', '/links/:id', onlyId).returns(
  z.null(),
  about('End a link', { remark: 'Who has `settings:manage` may end every link.' }),
)

export const linkEvent = z.object({
  id: z.int(),
  at: time,
  address: z.nullable(z.string()),
  /** One of `eventActions`. */
  action: z.string(),
  /** Details of the event; the fields depend on the action. */
  detail: z.nullable(z.record(z.string(), z.unknown())),
})
export type LinkEvent = z.output<typeof linkEvent>

export const listLinkEvents = endpoint(
  'GET',
  '/links/:id/events',
  z.strictObject({ id: textId, limit, cursor }),
).returns(
  z.object({ events: z.array(linkEvent), next_cursor: z.nullable(z.string()) }),
  about('List what a link was used for, the newest first; of files that wait for approval without `detail`'),
)
