/** Groups of users, to share with all of them at once. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { id, lineOfText, nothing, onlyId, textId } from './fields.ts'
import { maxGroupMembers, maxGroupNameLength } from './limits.ts'
import { person } from './person.ts'

export const group = z.object({
  id: z.int(),
  name: z.string(),
  /** `everyone`: all active users. */
  kind: z.enum(['listed', 'everyone']),
  member_count: z.int(),
  /** The number of shares that the group has, those on folders of teams too. */
  share_count: z.int(),
})
export type Group = z.output<typeof group>

/** `members` is empty for `everyone`. */
export const groupDetails = z.extend(group, { members: z.array(person) })
export type GroupDetails = z.output<typeof groupDetails>

const name = lineOfText('Group name', maxGroupNameLength)
const memberIds = z.array(id).check(z.maxLength(maxGroupMembers, `At most ${maxGroupMembers} members`))
const groupAnswer = z.object({ group: groupDetails })

export const listGroups = endpoint('GET', '/groups', nothing).returns(
  z.object({ groups: z.array(group) }),
  about('List the groups of users'),
)

export const getGroup = endpoint('GET', '/groups/:id', onlyId).returns(
  groupAnswer,
  about('Get a group of users with its members'),
)

export const createGroup = endpoint(
  'POST',
  '/groups',
  z.strictObject({ name, member_ids: z.optional(memberIds) }),
).returns(groupAnswer, about('Make a group of users', { errors: ['name_taken', 'not_found'], statuses: [201] }))

export const updateGroup = endpoint(
  'PUT',
  '/groups/:id',
  z.strictObject({ id: textId, name: z.optional(name), member_ids: z.optional(memberIds) }),
).returns(groupAnswer, about('Change the name or the members of a group', { errors: ['name_taken', 'protected'] }))

export const deleteGroup = endpoint(
  'DELETE',
  '/groups/:id',
  z.extend(onlyId, { shares: z.optional(z.literal('delete', "Expected 'delete'")) }),
).returns(
  z.null(),
  about('Delete a group', {
    remark: 'With `shares=delete` also what is shared with it.',
    errors: ['in_use', 'protected'],
  }),
)

const membership = z.strictObject({ id: textId, user_id: textId })

export const addGroupMember = endpoint('PUT', '/groups/:id/members/:user_id', membership).returns(
  groupAnswer,
  about('Add a user to a group', { errors: ['protected'] }),
)

export const removeGroupMember = endpoint('DELETE', '/groups/:id/members/:user_id', membership).returns(
  groupAnswer,
  about('Take a user out of a group', { errors: ['protected'] }),
)
