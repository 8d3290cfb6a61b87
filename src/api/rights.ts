/** What a user may do with items, as far as role or key, and the place where the items lie, allow it. */
import type { FileItem, Place, PlaceAbilities } from './items.ts'
import type { Permission } from './permissions.ts'
import type { ShareLevel } from './share-levels.ts'
import type { Space } from './spaces.ts'

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
export interface FolderRights {
  upload: boolean
  makeFolder: boolean
}

/** Whether the place lets the user open nothing of an item: a reviewer, or who may only throw a rejected file away. */
export const isClosed = ({ may }: Rated): boolean => may !== null && !may.see && !may.add

/** Whether the user sees an item by the right to review alone. */
export const isReviewed = (item: Rated): boolean => isClosed(item) && item.may?.trash === false

/** Returns what a user with these permissions may do with all of the items. */
export function rightsOn(permissions: readonly Permission[], items: readonly Rated[]): ItemRights {
  const has = (permission: Permission) => permissions.includes(permission)
  const all = (ability: 'change' | 'organise' | 'trash' | 'share') =>
    items.every(({ may }) => may === null || may[ability])
  const isOpen = !items.some(isClosed)
  return {
    mark: has('files:write') && isOpen,
    tag: has('tags:write') && isOpen,
    copy: has('files:write') && isOpen,
    change: has('files:write') && all('change'),
    organise: has('files:write') && all('organise'),
    trash: has('files:delete') && all('trash'),
    share: has('files:share') && all('share'),
  }
}

/** Returns what a user with these permissions may do in a folder. `may` is null for one of the own tree. */
export const rightsIn = (permissions: readonly Permission[], may: PlaceAbilities | null): FolderRights => ({
  upload: permissions.includes('files:upload') && (may?.add ?? true),
  makeFolder: permissions.includes('files:write') && (may?.change ?? true),
})

const changes = (level: ShareLevel | null): boolean => level === 'edit' || level === 'manage'

/** What a level allows at the root of a place. */
export const abilitiesOf = (level: ShareLevel | null): PlaceAbilities => ({
  see: level !== null && level !== 'upload',
  add: level === 'upload' || changes(level),
  change: changes(level),
  organise: false,
  trash: false,
  share: level === 'manage',
})

/** What a member may do in the team folder itself. */
export const abilitiesIn = ({ level }: Pick<Space, 'level'>): PlaceAbilities => abilitiesOf(level)

/** The place that a team folder is. */
export const placeOfSpace = ({ folder_id, name }: Pick<Space, 'folder_id' | 'name'>): Place => ({
  kind: 'team',
  id: folder_id,
  name,
  from: null,
})
