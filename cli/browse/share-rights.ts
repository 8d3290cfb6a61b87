/** What the user may do in the Share dialog of an item: give people access, and make links. */
import { isTeamFolder } from '../../src/api/share-words.ts'
import type { SharedItem } from './modes.ts'
import type { State } from './state.ts'

type Viewer = Pick<State, 'user' | 'teams'>

/** Whether the user may give people access to an item, and see who has it. */
export const mayGive = ({ user }: Viewer, { may }: SharedItem): boolean =>
  user.permissions.includes('files:share') && (may === null || may.share)

/** Whether the user may make links to an item: who manages it, and the editors of a team folder that lets them. */
export function mayLink({ user, teams }: Viewer, item: SharedItem): boolean {
  const { may, place } = item
  if (!user.permissions.includes('files:link') || isTeamFolder(item)) return false
  if (may === null || may.share) return true
  const team = place?.kind === 'team' ? teams.find(({ folder_id }) => folder_id === place.id) : undefined
  return may.change && team?.editors_may_link === true
}
