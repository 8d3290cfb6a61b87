/** `filestore admin create` and `filestore admin user …`. */
import * as z from 'zod/mini'
import { terminalActor } from '../../access/actor.ts'
import { findSharing } from '../../access/sharing-settings.ts'
import type { Profile } from '../../api/auth.ts'
import type { InputOf } from '../../api/endpoint.ts'
import { newPassword } from '../../api/fields.ts'
import { maxPageSize } from '../../api/limits.ts'
import { adminRole } from '../../api/roles.ts'
import * as api from '../../api/users.ts'
import { AppError } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Flags } from '../../config-options.ts'
import type { Database } from '../../db/database.ts'
import type { RowDeps } from '../../deps.ts'
import * as adding from '../../users/add-user.ts'
import * as deleting from '../../users/delete-user.ts'
import { findUser, type ProfileRow } from '../../users/find.ts'
import * as listing from '../../users/list-users.ts'
import { presentProfile, presentUser } from '../../users/present.ts'
import { updateUser } from '../../users/update-user.ts'
import { withFiles, withNew, withRows } from '../open.ts'
import { findNamedUser } from './names.ts'

/** The API's answer to a new user. `temp_password` is set if the server made the password. */
export type AddedUser = api.User & { temp_password?: string }

/** A password that somebody typed must not be empty. */
const typedPassword = z.object({ password: newPassword })

type NewUser = InputOf<typeof api.createUser>

async function add(deps: RowDeps, input: NewUser): Promise<AddedUser> {
  const { id, tempPassword } = await adding.addUser(deps, terminalActor, parseInput(api.createUser.input, input))
  const user = presentUser(await findUser(deps.db, id))
  return tempPassword === null ? user : { ...user, temp_password: tempPassword }
}

/** Adds an administrator, and makes the database if there is none yet. Throws `invalid_input` and `name_taken`. */
export async function createAdmin(flags: Flags, input: Omit<NewUser, 'role'>): Promise<AddedUser> {
  // Check the input first, so that bad input does not leave a new database behind.
  parseInput(api.createUser.input, input)
  parseInput(typedPassword, { password: input.password })
  return withNew(flags, deps => add(deps, { ...input, role: adminRole }))
}

/** Adds a user, and makes a password if none is given. Throws like the API's call. */
export const addUser = (flags: Flags, input: NewUser): Promise<AddedUser> => withRows(flags, deps => add(deps, input))

/** Returns all users, ordered by name. */
export const listUsers = (flags: Flags): Promise<api.User[]> =>
  withRows(flags, async ({ db }) => {
    const users: api.User[] = []
    let cursor: string | undefined
    do {
      const page = await listing.listUsers(db, { limit: maxPageSize, cursor })
      users.push(...page.users)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
    return users
  })

/** Throws `not_found`. */
export const showUser = (flags: Flags, name: string): Promise<Profile> =>
  withRows(flags, async ({ db }) => presentProfile(await findNamedUser(db, name), await findSharing(db)))

/** A user, with the names of the team folders that no active user manages because this one was disabled. */
export type ChangedUser = api.User & { unmanaged_spaces: string[] }

function changeUser(
  flags: Flags,
  name: string,
  changes: Omit<InputOf<typeof api.updateUser>, 'id'>,
): Promise<ChangedUser> {
  return withRows(flags, async deps => {
    const { id } = await findNamedUser(deps.db, name)
    const unmanaged = await updateUser(deps, terminalActor, parseInput(api.updateUser.input, { id, ...changes }))
    return { ...presentUser(await findUser(deps.db, id)), unmanaged_spaces: unmanaged.map(space => space.name) }
  })
}

/**
 * Changes a user's role and ends their sessions. Throws `not_found`, `invalid_input` for an unknown role, and
 * `protected`.
 */
export const setRole = (flags: Flags, name: string, role: string): Promise<api.User> =>
  changeUser(flags, name, { role })

/** Changes a user's quota, in bytes. Throws `not_found`. */
export const setQuota = (flags: Flags, name: string, quota: number): Promise<api.User> =>
  changeUser(flags, name, { storage_quota: quota })

/** Changes a user's password, and ends all their sessions and keys. Throws `not_found` and `invalid_input`. */
export const setPassword = async (flags: Flags, name: string, password: string): Promise<api.User> =>
  changeUser(flags, name, parseInput(typedPassword, { password }))

/** Enables a user, or disables one and ends their sessions. Throws `not_found` and `protected`. */
export const setActive = (flags: Flags, name: string, isActive: boolean): Promise<ChangedUser> =>
  changeUser(flags, name, { is_active: isActive })

/** What happens to the user's files. `to` names the user who gets them. */
interface Deletion {
  files?: 'delete' | 'transfer'
  to?: string
  /** The user who manages the team folders that the deleted one alone manages. */
  teamsTo?: string
}

async function findDeletion(db: Database, name: string, { files, to, teamsTo }: Deletion) {
  const user = await findNamedUser(db, name)
  const receiver = to === undefined ? undefined : (await findNamedUser(db, to)).id
  const spaces_to = teamsTo === undefined ? undefined : (await findNamedUser(db, teamsTo)).id
  return { user, input: parseInput(api.deleteUser.input, { id: user.id, files, to: receiver, spaces_to }) }
}

/** Throws the error of a deletion again; an `in_use` gets advice about the files or the team folders. */
function advise({ username }: ProfileRow, error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'in_use') throw error
  const sole = error.fields?.spaces_to
  if (sole !== undefined) throw new AppError(error.code, `${sole}: give --teams-to <user>`, { cause: error })
  const advice = 'give --files delete, or --files transfer --to <user>'
  throw new AppError(error.code, `${username} owns files: ${advice}`, { cause: error })
}

/** Returns the user that `deleteUser` would delete. Throws like `deleteUser`. */
export const checkDeletion = (flags: Flags, name: string, deletion: Deletion): Promise<api.User> =>
  withFiles(flags, async ({ db }) => {
    const { user, input } = await findDeletion(db, name, deletion)
    await deleting.checkDeletion(db, terminalActor, input).catch(error => advise(user, error))
    return presentUser(user)
  })

/** Deletes a user. Returns the deleted user. Throws like the API's call; an `in_use` has advice. */
export const deleteUser = (flags: Flags, name: string, deletion: Deletion): Promise<api.User> =>
  withFiles(flags, async deps => {
    const { user, input } = await findDeletion(deps.db, name, deletion)
    await deleting.deleteUser(deps, terminalActor, input).catch(error => advise(user, error))
    return presentUser(user)
  })
