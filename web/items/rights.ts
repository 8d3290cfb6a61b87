/** What the user may do with items: as far as their permissions go, and the place where the items lie. */
import type { FileItem, PlaceAbilities } from '../../src/api/items.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { useAuth } from '../lib/server/auth-store.ts'

type Rated = Pick<FileItem, 'place' | 'may'>

/** What the user may do with all of some items, besides reading them. */
export interface ItemRights {
  /** Mark as favourites. */
  mark: boolean
  tag: boolean
  copy: boolean
  /** Change the metadata. */
  change: boolean
  /** Rename, and move into another folder. */
  organise: boolean
  trash: boolean
  /** Give others access. */
  share: boolean
}

/** What the user may do in a folder. */
interface FolderRights {
  upload: boolean
  makeFolder: boolean
}

/** Whether the user sees an item by the right to review alone. */
export const isReviewed = ({ place, may }: Rated): boolean => place === null && may !== null && !may.change

function rightsOf(permissions: readonly Permission[], items: readonly Rated[]): ItemRights {
  const has = (permission: Permission) => permissions.includes(permission)
  const all = (ability: 'change' | 'organise' | 'share') => items.every(({ may }) => may === null || may[ability])
  const isTheirs = !items.some(isReviewed)
  return {
    mark: has('files:write') && isTheirs,
    tag: has('tags:write') && isTheirs,
    copy: has('files:write') && isTheirs,
    change: has('files:write') && all('change'),
    organise: has('files:write') && all('organise'),
    trash: has('files:delete') && all('organise'),
    share: has('files:share') && all('share'),
  }
}

const none: readonly Permission[] = []

/** What the user may do at this moment, for events. */
export const rightsNow = (items: readonly Rated[]): ItemRights =>
  rightsOf(useAuth.getState().user?.permissions ?? none, items)

/** Returns a function that tells what the user may do with items. */
export function useRights(): (items: readonly Rated[]) => ItemRights {
  const permissions = useAuth(({ user }) => user?.permissions ?? none)
  return items => rightsOf(permissions, items)
}

/** `may` is null for a folder of the own tree. */
export function useFolderRights(): (may: PlaceAbilities | null) => FolderRights {
  const permissions = useAuth(({ user }) => user?.permissions ?? none)
  return may => ({
    upload: permissions.includes('files:upload') && (may?.add ?? true),
    makeFolder: permissions.includes('files:write') && (may?.change ?? true),
  })
}
