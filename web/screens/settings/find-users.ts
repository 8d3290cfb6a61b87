/** The users that an administrator can choose from, in groups and as managers. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { findPeople, type Person } from '../../../src/api/shares.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { call } from '../../lib/server/call.ts'
import { allUsersQuery } from './user-changes.ts'

const toPerson = ({ id, username, full_name }: Person): Person => ({ id, username, full_name })

/** The name by which a user is chosen. */
export const labelOf = ({ username, full_name }: Person): string =>
  full_name ? `${username} (${full_name})` : username

interface FoundUsers {
  users: readonly Person[]
  error: Error | null
  /** Whether `users` are all, to be filtered by the text; else the server has done so. */
  isAll: boolean
  /** Whether `users` are those of the current text, and not of an earlier one. */
  isReady: boolean
  /** The words when none is found. */
  whenNone: string
}

/** Characters that the server's search needs. */
const minText = 2

/**
 * The active users to choose from, while `text` is typed. Who may not list the users gets those whom the server finds
 * by the text, and themselves.
 */
export function useFoundUsers(text: string): FoundUsers {
  const me = useAuth(({ user }) => user)
  const isAll = me?.permissions.includes('users:manage') === true
  const all = useQuery({ ...allUsersQuery, enabled: isAll })
  const q = text.trim()
  const found = useQuery({
    queryKey: ['people', q],
    queryFn: async () => (await call(findPeople, { q })).people,
    enabled: !isAll && q.length >= minText,
    placeholderData: keepPreviousData,
  })
  const none = 'No such user'
  if (isAll) {
    const users = all.data?.filter(user => user.is_active).map(toPerson) ?? []
    return { users, error: all.error, isAll, isReady: all.isSuccess, whenNone: none }
  }
  const own = me !== null && labelOf(me).toLowerCase().includes(q.toLowerCase()) ? [toPerson(me)] : []
  const whenNone = q.length < minText ? `Type at least ${minText} characters of the name` : none
  const users = [...own, ...(found.data ?? [])]
  return { users, error: found.error, isAll, isReady: !found.isFetching, whenNone }
}
