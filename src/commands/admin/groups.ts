/** `filestore admin group …`. */
import { terminalActor } from '../../access/actor.ts'
import * as api from '../../api/groups.ts'
import { AppError } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Flags } from '../../config-options.ts'
import { findGroups } from '../../groups/find.ts'
import * as groups from '../../groups/groups.ts'
import { presentGroup, presentGroupDetails } from '../../groups/present.ts'
import { withRows } from '../open.ts'
import { findNamedGroup, findNamedUserIds } from './names.ts'

/** Returns all groups, that of everyone first. */
export const listGroups = (flags: Flags): Promise<api.Group[]> =>
  withRows(flags, async ({ db }) => (await findGroups(db)).map(presentGroup))

/** Returns a group with its members. Throws `not_found`. */
export const showGroup = (flags: Flags, name: string): Promise<api.GroupDetails> =>
  withRows(flags, async ({ db }) => presentGroupDetails(db, (await findNamedGroup(db, name)).id))

/** Creates a group. Throws `invalid_input`, `name_taken`, and `not_found` for a user. */
export const createGroup = (flags: Flags, name: string, members: readonly string[]): Promise<api.GroupDetails> =>
  withRows(flags, async ({ db }) => {
    const input = parseInput(api.createGroup.input, { name, member_ids: await findNamedUserIds(db, members) })
    return presentGroupDetails(db, await groups.createGroup(db, terminalActor, input))
  })

/** Throws `not_found`, `invalid_input`, `name_taken` and `protected`. */
export const renameGroup = (flags: Flags, current: string, name: string): Promise<api.GroupDetails> =>
  withRows(flags, async ({ db }) => {
    const { id } = await findNamedGroup(db, current)
    await groups.updateGroup(db, terminalActor, parseInput(api.updateGroup.input, { id, name }))
    return presentGroupDetails(db, id)
  })

/** Adds users to a group, or takes them out. Throws `not_found` and `protected`, and then changes nothing. */
export const changeMembers = (
  flags: Flags,
  name: string,
  users: readonly string[],
  isMember: boolean,
): Promise<api.GroupDetails> =>
  withRows(flags, async ({ db }) => {
    const { id } = await findNamedGroup(db, name)
    for (const user_id of await findNamedUserIds(db, users))
      await groups.setMember(db, terminalActor, { id, user_id }, isMember)
    return presentGroupDetails(db, id)
  })

/** Returns the group that `deleteGroup` would delete. Throws like `deleteGroup`; an `in_use` has advice. */
export const checkDeletion = (flags: Flags, name: string, withShares: boolean): Promise<api.Group> =>
  withRows(flags, async ({ db }) => {
    const group = await findNamedGroup(db, name)
    if (group.share_count > 0 && !withShares) throw adviseOnShares(group)
    return presentGroup(group)
  })

const adviseOnShares = ({ name, share_count }: api.Group): AppError =>
  new AppError('in_use', `${share_count} shares are with the group ${name}: give --shares delete to end them too`)

/** Deletes a group. Returns the deleted group. Throws `not_found`, `protected` and `in_use`. */
export const deleteGroup = (flags: Flags, name: string, withShares: boolean): Promise<api.Group> =>
  withRows(flags, async ({ db }) => {
    const group = await findNamedGroup(db, name)
    const input = parseInput(api.deleteGroup.input, { id: group.id, ...(withShares ? { shares: 'delete' } : {}) })
    await groups.deleteGroup(db, terminalActor, input)
    return presentGroup(group)
  })
