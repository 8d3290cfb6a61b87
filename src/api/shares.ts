/** Sharing with people: what is given to users and groups, what is received, and the settings of sharing. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import {
  atMostUnits,
  cursor,
  exactName,
  id,
  limit,
  nothing,
  onlyId,
  textFlag,
  textId,
  time,
  wholeNumber,
} from './fields.ts'
import { fileItem } from './items.ts'
import { maxLinkDays } from './limits.ts'
import { linkReasons } from './links.ts'
import { person } from './person.ts'
import { shareLevels } from './share-levels.ts'
import { sharingSettings } from './sharing-settings.ts'

const shareLevel = z.enum(shareLevels)

/** A user or a group to whom something is given. The name of a user is the username; a group has no full name. */
export const grantee = z.object({
  kind: z.enum(['user', 'group']),
  id: z.int(),
  name: z.string(),
  full_name: z.nullable(z.string()),
})
export type Grantee = z.output<typeof grantee>

/** From whom something is received: the user whose it is, or the team folder that it lies in. */
const giver = z.object({ kind: z.enum(['user', 'team']), id: z.int(), name: z.string() })

const shared = z.object({
  id: z.int(),
  item: fileItem,
  level: shareLevel,
  created_at: time,
  /** Null: never. */
  expires_at: z.nullable(time),
})

/** A share as those see it who may give access to the item. */
export const share = z.extend(shared, { who: grantee })
export type Share = z.output<typeof share>

/**
 * A share as those see it to whom it is given. `group`: the name of the group that it is given to; null if it is given
 * to the caller alone, who may then end it. `is_new`: it was given after they last looked.
 */
export const receivedShare = z.extend(shared, { from: giver, group: z.nullable(z.string()), is_new: z.boolean() })
export type ReceivedShare = z.output<typeof receivedShare>

/** Why a share is without effect: its time is over, its user is disabled, or a switch is off; else as for links. */
const reason = z.enum([...linkReasons, 'disabled'])

/** One way by which somebody reaches an item. */
export const accessEntry = z.object({
  /** Null for the owner of a personal space, and for a link. */
  share_id: z.nullable(z.int()),
  /** Null unless it is a link. */
  link_id: z.nullable(z.int()),
  /** The name of a link is its label, which may be empty. */
  who: z.extend(grantee, { kind: z.enum(['owner', 'user', 'group', 'link']) }),
  /** `both` is of links: to see and to add. */
  level: z.enum([...shareLevels, 'both']),
  /** The item on which it is granted: this one, or a folder above it. */
  because: z.object({ id: z.int(), name: z.string() }),
  expires_at: z.nullable(time),
  works: z.boolean(),
  /** Null if it works. */
  reason: z.nullable(reason),
})
export type AccessEntry = z.output<typeof accessEntry>

/** Everything by which somebody reaches an item, also what is granted on the folders above. */
export const listAccess = endpoint('GET', '/files/:id/access', onlyId).returns(
  z.object({ access: z.array(accessEntry) }),
  about('List who has access to an item, and why'),
)

/** It has to be a time to come. */
const expiresAt = z.nullable(z.iso.datetime({ offset: true, error: 'Expected an ISO 8601 time' }))

const shareAnswer = z.object({ share })

export const createShare = endpoint(
  'POST',
  '/shares',
  z.strictObject({
    item_id: id,
    user_id: z.optional(id),
    username: z.optional(exactName),
    group_id: z.optional(id),
    group_name: z.optional(exactName),
    level: shareLevel,
    expires_at: z.optional(expiresAt),
  }),
).returns(
  shareAnswer,
  about('Give a user or a group access to an item', {
    remark:
      'One of `user_id`, `username`, `group_id` and `group_name`. Who has access to the item already gets the new level, with 200.',
    errors: ['not_found', 'protected'],
    statuses: [200, 201],
  }),
)

export const updateShare = endpoint(
  'PUT',
  '/shares/:id',
  z.strictObject({ id: textId, level: z.optional(shareLevel), expires_at: z.optional(expiresAt) }),
).returns(shareAnswer, about('Change the level or the end of a share', { errors: ['protected'] }))

export const deleteShare = endpoint('DELETE', '/shares/:id', onlyId).returns(
  z.null(),
  about('End a share', {
    remark: 'Who has a share may end it without `files:share`.',
    errors: ['protected'],
  }),
)

/** Hides a share from the caller's own list, or shows it again; others with the same share still see it. */
export const hideShare = endpoint(
  'PUT',
  '/shares/:id/hidden',
  z.strictObject({ id: textId, hidden: z.boolean() }),
).returns(z.null(), about("Hide a share from the caller's list, or show it again"))

export const listReceived = endpoint(
  'GET',
  '/shares/received',
  z.strictObject({ hidden: textFlag, limit, cursor }),
).returns(
  z.object({ shares: z.array(receivedShare), next_cursor: z.nullable(z.string()) }),
  about('List what is shared with the caller, the newest first', {
    remark: 'Team folders are in `GET /spaces`. With `hidden=true` what the caller has hidden.',
  }),
)

export const listGiven = endpoint('GET', '/shares/given', z.strictObject({ limit, cursor })).returns(
  z.object({ shares: z.array(share), next_cursor: z.nullable(z.string()) }),
  about('List what the caller shares with others, the newest first'),
)

export const markSharesSeen = endpoint('PUT', '/shares/seen', nothing).returns(
  z.null(),
  about('Mark what is shared with the caller as seen'),
)

export type Person = z.output<typeof person>

export const findPeople = endpoint(
  'GET',
  '/people',
  z.strictObject({
    q: z
      .string()
      .check(z.trim(), atMostUnits(255, 'The text is too long'), z.minLength(2, 'Enter at least 2 characters')),
  }),
).returns(
  z.object({ people: z.array(person), groups: z.array(z.object({ id: z.int(), name: z.string() })) }),
  about('Find people and groups to share with, at most 20 of each'),
)

export const getSharingSettings = endpoint('GET', '/sharing/settings', nothing).returns(
  sharingSettings,
  about('Get the settings of sharing'),
)

export const updateSharingSettings = endpoint(
  'PUT',
  '/sharing/settings',
  z.strictObject({
    people: z.optional(z.boolean()),
    everyone: z.optional(z.boolean()),
    find_people: z.optional(z.enum(['names', 'exact'])),
    links: z.optional(z.boolean()),
    link_uploads: z.optional(z.boolean()),
    link_password_required: z.optional(z.boolean()),
    link_max_days: z.optional(wholeNumber.check(z.maximum(maxLinkDays, `At most ${maxLinkDays} days`))),
  }),
).returns(sharingSettings, about('Change the settings of sharing'))
