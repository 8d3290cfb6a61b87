/** The levels of access, and why access is without effect, in the words of the page and the terminal. */
import type { FileItem, Place } from './items.ts'
import type { LinkLevel } from './link-levels.ts'
import { linkStates } from './link-words.ts'
import type { ShareLevel } from './share-levels.ts'
import type { AccessEntry } from './shares.ts'

/** An item that may be shared. A team folder's `place` is that of the kind `team` with the folder's own id. */
export type Sharable = Pick<FileItem, 'id' | 'name' | 'is_directory'> & { place: Pick<Place, 'kind' | 'id'> | null }

/** Whether an item is a team folder itself, and not in one. */
export const isTeamFolder = ({ id, place }: Sharable): boolean => place?.kind === 'team' && place.id === id

export const levelNames: Record<ShareLevel | LinkLevel, string> = {
  view: 'View',
  upload: 'Upload only',
  both: 'View and upload',
  edit: 'Edit',
  manage: 'Manage',
}

/** What a member of a team folder is. */
export const memberWords: Record<ShareLevel, string> = {
  view: 'Can view',
  upload: 'Can hand in',
  edit: 'Can edit',
  manage: 'Manager',
}

/** What a level allows in a folder. */
const inFolder: Record<ShareLevel, string> = {
  view: 'They see, download and copy everything in it.',
  upload: 'They hand in files, and see only those they handed in themselves.',
  edit: 'They also upload, rename, move and delete what is in it.',
  manage: 'They also give access to others and delete for good.',
}

/** What a level allows, in one sentence. */
export function explainLevel(level: ShareLevel, { is_directory }: Pick<Sharable, 'is_directory'>): string {
  if (is_directory) return inFolder[level]
  return level === 'view' ? 'They see, download and copy it.' : 'They also replace its content and change its metadata.'
}

/** The levels that an item can be shared with. */
export function levelsFor(item: Sharable): ShareLevel[] {
  if (!item.is_directory) return ['view', 'edit']
  return isTeamFolder(item) ? ['view', 'upload', 'edit', 'manage'] : ['view', 'upload', 'edit']
}

/** Why a share or link is without effect; null if it works. `end` is its last day in words. */
export function reasonWords({ who, reason }: Pick<AccessEntry, 'who' | 'reason'>, end: string): string | null {
  if (reason === null) return null
  if (reason === 'expired') return `Expired on ${end}`
  if (reason === 'disabled') return 'This user is disabled'
  if (who.kind === 'link') return linkStates[reason]
  return `Sharing with ${who.kind === 'group' ? 'this group' : 'people'} is turned off`
}

/** The owner, then what is granted on the item itself, then what comes from above; links after people. */
export const accessRank = ({ who, because }: Pick<AccessEntry, 'who' | 'because'>, itemId: number): number =>
  who.kind === 'owner' ? 0 : (because.id === itemId ? 1 : 2) + (who.kind === 'link' ? 2 : 0)

/** What a drop box is, to who may only hand in files there. */
export const dropBoxWords =
  'What you upload here goes to its owner. You see only your own files, and cannot change them.'
