/** Builds the API form of groups: only fields listed here leave the server. */
import type { Group, GroupDetails } from '../api/groups.ts'
import type { Database } from '../db/database.ts'
import { type CountedGroupRow, findGroup, findMembers } from './find.ts'

export const presentGroup = ({ id, name, kind, member_count, share_count }: CountedGroupRow): Group => ({
  id,
  name,
  kind,
  member_count,
  share_count,
})

/** A group with its members. Throws `not_found`. */
export async function presentGroupDetails(db: Database, id: number): Promise<GroupDetails> {
  const group = await findGroup(db, id)
  return { ...presentGroup(group), members: group.kind === 'everyone' ? [] : await findMembers(db, id) }
}
