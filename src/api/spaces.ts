/** Team folders: each is the folder at the top of a space of its own, with a quota; shares on it are its members. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { exactName, id, itemName, onlyId, textId, time, wholeNumber } from './fields.ts'
import { maxManagers } from './limits.ts'
import { person } from './person.ts'
import { shareLevels } from './share-levels.ts'

export const space = z.object({
  id: z.int(),
  /** The team folder. */
  folder_id: z.int(),
  name: z.string(),
  /** The caller's level; null if they are no member. */
  level: z.nullable(z.enum(shareLevels)),
  /** Whether the caller's level is their own or comes from a group; null if they are no member. */
  via: z.nullable(z.enum(['member', 'group'])),
  /** Bytes. */
  storage_used: z.int(),
  /** Bytes. */
  storage_quota: z.int(),
  /** The number of active users with access, each counted once. */
  member_count: z.int(),
  /** The users who manage it by a share of their own. */
  managers: z.array(person),
  editors_may_link: z.boolean(),
  created_at: time,
})
export type Space = z.output<typeof space>

const spaceAnswer = z.object({ space })
const name = z.pipe(z.string().check(z.refine(text => text.trim() !== '', 'Name is required')), itemName)
const managerIds = z
  .array(id)
  .check(z.minLength(1, 'Choose at least one manager'), z.maxLength(maxManagers, `At most ${maxManagers} managers`))

/** The same by their exact usernames. */
const managerNames = z
  .array(exactName)
  .check(z.minLength(1, 'Choose at least one manager'), z.maxLength(maxManagers, `At most ${maxManagers} managers`))

export const listSpaces = endpoint(
  'GET',
  '/spaces',
  z.strictObject({ all: z.optional(z.enum(['true', 'false'])) }),
).returns(
  z.object({ spaces: z.array(space) }),
  about('List the team folders of the caller', { remark: 'With `all=true` those of all users, for `spaces:manage`.' }),
)

export const createSpace = endpoint(
  'POST',
  '/spaces',
  z.strictObject({
    name,
    storage_quota: z.optional(wholeNumber),
    manager_ids: z.optional(managerIds),
    manager_names: z.optional(managerNames),
  }),
).returns(
  spaceAnswer,
  about('Make a team folder', {
    remark: 'The caller manages it unless `manager_ids` or `manager_names` names others.',
    errors: ['not_found'],
    statuses: [201],
  }),
)

export const updateSpace = endpoint(
  'PUT',
  '/spaces/:id',
  z.strictObject({
    id: textId,
    name: z.optional(name),
    editors_may_link: z.optional(z.boolean()),
    storage_quota: z.optional(wholeNumber),
    manager_ids: z.optional(managerIds),
    manager_names: z.optional(managerNames),
  }),
).returns(
  spaceAnswer,
  about('Change a team folder', {
    remark: 'Its managers change `name` and `editors_may_link`; the quota and the managers need `spaces:manage`.',
  }),
)

/** Answers once its last row is gone. */
export const deleteSpace = endpoint(
  'DELETE',
  '/spaces/:id',
  z.extend(onlyId, { files: z.optional(z.literal('delete', "Expected 'delete'")) }),
).returns(
  z.null(),
  about('Delete a team folder', {
    remark: 'With `files=delete` also what is in it and in its trash.',
    errors: ['in_use'],
  }),
)
