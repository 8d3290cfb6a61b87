/** The groups of users in the cache, and changes to them. */
import { queryOptions } from '@tanstack/react-query'
import {
  createGroup,
  deleteGroup,
  type Group,
  type GroupDetails,
  getGroup,
  listGroups,
  updateGroup,
} from '../../../src/api/groups.ts'
import type { Person } from '../../../src/api/shares.ts'
import { call } from '../../lib/server/call.ts'
import { queryClient } from '../../lib/server/query-client.ts'

export const groupsQuery = queryOptions({
  queryKey: ['groups', 'list'],
  queryFn: async () => (await call(listGroups, {})).groups,
})

/** A group with its members. */
export const groupQuery = (id: number) =>
  queryOptions({
    queryKey: ['groups', id],
    queryFn: async () => (await call(getGroup, { id })).group,
    // The form begins with the members of now.
    gcTime: 0,
  })

/** What a change of groups changes: who is in them, and who reaches what is shared with them. */
export const refreshGroups = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [first] }) => first === 'groups' || first === 'spaces' || first === 'people',
  })

interface GroupDraft {
  name: string
  members: readonly Person[]
}

const idsOf = (members: readonly Person[]): number[] => members.map(({ id }) => id)

/** Creates a group, or saves what differs from the group that the form began with. */
export async function saveGroup(draft: GroupDraft, before: GroupDetails | null): Promise<void> {
  const name = draft.name.trim()
  if (before === null) await call(createGroup, { name, member_ids: idsOf(draft.members) })
  else {
    await call(updateGroup, {
      id: before.id,
      name: name === before.name ? undefined : name,
      member_ids: await membersToSend(draft, before),
    })
  }
  await refreshGroups()
}

/** The members with the form's changes; undefined if there are none. Those whom others added meanwhile stay. */
async function membersToSend({ members }: GroupDraft, before: GroupDetails): Promise<number[] | undefined> {
  const [wanted, known] = [idsOf(members), idsOf(before.members)]
  const added = wanted.filter(id => !known.includes(id))
  const removed = known.filter(id => !wanted.includes(id))
  if (added.length + removed.length === 0) return undefined
  const now = idsOf((await call(getGroup, { id: before.id })).group.members)
  return [...new Set([...now.filter(id => !removed.includes(id)), ...added])]
}

/** Deletes a group. One that has shares is refused (`in_use`) unless `withShares`. */
export async function removeGroup({ id }: Group, withShares: boolean): Promise<void> {
  await call(deleteGroup, { id, ...(withShares ? { shares: 'delete' } : {}) })
  await refreshGroups()
}
