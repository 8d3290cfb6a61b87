/** The levels of access in words. */
import { type ShareLevel, shareLevels } from '../../../src/api/share-levels.ts'
import { isTeamFolder, type Sharable } from './share-dialog-state.ts'

export const levelNames: Record<ShareLevel, string> = {
  view: 'View',
  upload: 'Upload only',
  edit: 'Edit',
  manage: 'Manage',
}

/** The name of a level that an event tells. */
export const levelName = (level: string | null | undefined): string =>
  shareLevels.flatMap(one => (one === level ? [levelNames[one]] : []))[0] ?? ''

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
function levelsFor(item: Sharable): ShareLevel[] {
  if (!item.is_directory) return ['view', 'edit']
  return isTeamFolder(item) ? ['view', 'upload', 'edit', 'manage'] : ['view', 'upload', 'edit']
}

/** The levels as choices of a select. */
export const levelChoices = (item: Sharable) =>
  levelsFor(item).map(level => ({ value: level, label: levelNames[level] }))
