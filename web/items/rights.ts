/** What the user may do with items: as far as their permissions go, and the place where the items lie. */
import type { PlaceAbilities } from '../../src/api/items.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { type FolderRights, type ItemRights, rightsIn, rightsOn } from '../../src/api/rights.ts'
import { spacesQuery } from '../lib/data/spaces.ts'
import { useAuth } from '../lib/server/auth-store.ts'
import { queryClient } from '../lib/server/query-client.ts'

type Rated = Parameters<typeof rightsOn>[1]

const none: readonly Permission[] = []

/** What the user may do at this moment, for events. */
export const rightsNow = (items: Rated): ItemRights => rightsOn(useAuth.getState().user?.permissions ?? none, items)

/** What the user may do on the page, where the Share dialog also makes links. */
interface PageRights extends ItemRights {
  openShare: boolean
}

/** An item of a list, or a folder of the tree. */
type Listed = Rated[number] & { id: number | null }

/** Whether it is in a team folder whose editors may make links; while that is unknown, the dialog asks the server. */
function isForEditors({ id, place, may }: Listed): boolean {
  if (place?.kind !== 'team' || place.id === id || may?.change !== true) return false
  const team = queryClient.getQueryData(spacesQuery.queryKey)?.find(({ folder_id }) => folder_id === place.id)
  return team?.editors_may_link ?? true
}

/** Returns a function that tells what the user may do with items. */
export function useRights(): (items: readonly Listed[]) => PageRights {
  const permissions = useAuth(({ user }) => user?.permissions ?? none)
  const mayLink = (item: Listed) => (item.may?.share ?? true) || isForEditors(item)
  return items => {
    const rights = rightsOn(permissions, items)
    return { ...rights, openShare: rights.share || (permissions.includes('files:link') && items.every(mayLink)) }
  }
}

/** `may` is null for a folder of the own tree. */
export function useFolderRights(): (may: PlaceAbilities | null) => FolderRights {
  const permissions = useAuth(({ user }) => user?.permissions ?? none)
  return may => rightsIn(permissions, may)
}
