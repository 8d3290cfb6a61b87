/** All team folders in the cache, and changes to them by who administers the server. */
import { queryOptions } from '@tanstack/react-query'
import type { Person } from '../../../src/api/shares.ts'
import { createSpace, deleteSpace, listSpaces, type Space, updateSpace } from '../../../src/api/spaces.ts'
import { refreshItems } from '../../lib/data/folders.ts'
import { call } from '../../lib/server/call.ts'
import { queryClient } from '../../lib/server/query-client.ts'
import { toBytes } from '../../lib/words/gigabytes.ts'
import { keepsQuota } from './quota.ts'

export const allTeamsQuery = queryOptions({
  queryKey: ['spaces', 'all'],
  queryFn: async () => (await call(listSpaces, { all: 'true' })).spaces,
})

export const refreshTeams = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['spaces'] })

export interface TeamDraft {
  name: string
  /** In GB. */
  quota: string
  managers: readonly Person[]
  editorsMayLink: boolean
}

const idsOf = (people: readonly Person[]): number[] => people.map(({ id }) => id)
const namesOf = (people: readonly Person[]): string[] => people.map(({ username }) => username)

/** Creates a team folder, or saves what differs from the one that the form began with. */
export async function saveTeam(
  { name, quota, managers, editorsMayLink }: TeamDraft,
  before: Space | null,
): Promise<void> {
  if (before === null) {
    await call(createSpace, { name, storage_quota: toBytes(quota), manager_names: namesOf(managers) })
  } else {
    const [wanted, known] = [idsOf(managers), idsOf(before.managers)]
    const isSame = wanted.length === known.length && wanted.every(id => known.includes(id))
    await call(updateSpace, {
      id: before.id,
      name: name === before.name ? undefined : name,
      storage_quota: keepsQuota(before, quota) ? undefined : toBytes(quota),
      manager_names: isSame ? undefined : namesOf(managers),
      editors_may_link: editorsMayLink === before.editors_may_link ? undefined : editorsMayLink,
    })
  }
  await Promise.all([refreshTeams(), refreshItems()])
}

/** Deletes a team folder. One that has content is refused (`in_use`) unless `withFiles`. */
export async function removeTeam({ id }: Space, withFiles: boolean): Promise<void> {
  await call(deleteSpace, { id, ...(withFiles ? { files: 'delete' } : {}) })
  await Promise.all([refreshTeams(), refreshItems()])
}
