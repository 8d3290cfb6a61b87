/** What the user may do with items: as far as their permissions go, and the place where the items lie. */
import type { PlaceAbilities } from '../../src/api/items.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { type FolderRights, type ItemRights, rightsIn, rightsOn } from '../../src/api/rights.ts'
import { useAuth } from '../lib/server/auth-store.ts'

type Rated = Parameters<typeof rightsOn>[1]

const none: readonly Permission[] = []

/** What the user may do at this moment, for events. */
export const rightsNow = (items: Rated): ItemRights => rightsOn(useAuth.getState().user?.permissions ?? none, items)

/** Returns a function that tells what the user may do with items. */
export function useRights(): (items: Rated) => ItemRights {
  const permissions = useAuth(({ user }) => user?.permissions ?? none)
  return items => rightsOn(permissions, items)
}

/** `may` is null for a folder of the own tree. */
export function useFolderRights(): (may: PlaceAbilities | null) => FolderRights {
  const permissions = useAuth(({ user }) => user?.permissions ?? none)
  return may => rightsIn(permissions, may)
}
