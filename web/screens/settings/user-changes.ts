/** The users in the cache, and changes to them. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '../../../src/api/endpoint.ts'
import { createUser, deleteUser, listUsers, type User, updateUser } from '../../../src/api/users.ts'
import { refreshItems } from '../../lib/data/folders.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { call } from '../../lib/server/call.ts'
import { log } from '../../lib/server/log-failure.ts'
import { queryClient } from '../../lib/server/query-client.ts'
import { refreshProfile } from '../../lib/server/session.ts'
import { toBytes } from '../../lib/words/gigabytes.ts'
import { keepsQuota } from './quota.ts'

/** Users on a page. */
const pageSize = 200

export const usersQuery = infiniteQueryOptions({
  queryKey: ['users', 'pages'],
  queryFn: ({ pageParam }) => call(listUsers, { limit: pageSize, cursor: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.next_cursor ?? undefined,
})

/** All users in one request, for choosing one. */
export const allUsersQuery = queryOptions({
  queryKey: ['users', 'all'],
  queryFn: async () => (await call(listUsers, {})).users,
})

/** What a change of users changes: also who is in groups and team folders. */
const changed: readonly unknown[] = ['users', 'system', 'groups', 'spaces', 'people']

async function refreshUsers(): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey: [first] }) => changed.includes(first) })
}

/** The content of a user's form, as typed. */
export interface UserDraft {
  username: string
  email: string
  fullName: string
  password: string
  role: string
  /** In GB. */
  quota: string
  isActive: boolean
}

/** Creates a user; returns the generated password when none was given. */
export async function addUser(draft: UserDraft): Promise<string | undefined> {
  const answer = await call(createUser, {
    username: draft.username,
    email: draft.email,
    full_name: draft.fullName.trim() || undefined,
    password: draft.password || undefined,
    role: draft.role,
    storage_quota: toBytes(draft.quota),
  })
  await refreshUsers()
  return answer.show_temp_password ? answer.temp_password : undefined
}

/**
 * Sends the fields that differ from the user's current ones, except blank ones; returns the names of the team folders
 * that no active user manages because this one was disabled.
 */
export async function editUser(user: User, draft: UserDraft): Promise<string[]> {
  const { unmanaged_spaces } = await call(updateUser, {
    id: user.id,
    email: draft.email.trim() || undefined,
    full_name: draft.fullName.trim() || undefined,
    password: draft.password || undefined,
    role: draft.role === user.role ? undefined : draft.role,
    storage_quota: keepsQuota(user, draft.quota) ? undefined : toBytes(draft.quota),
    is_active: draft.isActive === user.is_active ? undefined : draft.isActive,
  })
  await refreshUsers()
  if (user.id === useAuth.getState().user?.id) {
    // Saving has succeeded, even if the page cannot refresh its own profile.
    await refreshProfile().catch(error => log('Failed to load the profile', error))
  }
  return unmanaged_spaces.map(({ name }) => name)
}

/** Deletes a user. For an owner of files the input must say what happens to the files. */
export async function removeUser(input: InputOf<typeof deleteUser>): Promise<void> {
  await call(deleteUser, input)
  await Promise.all([refreshUsers(), refreshItems()])
}
