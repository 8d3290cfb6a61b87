/** shares, user_groups and what belongs to them: what is shared with whom. */
import type { ShareLevel } from '../../api/share-levels.ts'
import { model } from './model.ts'

export interface ShareRow {
  id: number
  /** The space of the item. */
  space_id: number
  item_id: number
  /** Either a user or a group; the other one is null. */
  user_id: number | null
  group_id: number | null
  level: ShareLevel
  created_by: number | null
  created_at: number
  /** Null: never. */
  expires_at: number | null
}

export interface GroupRow {
  id: number
  name: string
  /** userKey(name), which is unique. */
  name_key: string
  /** `everyone` has no rows of members: it stands for all active users. */
  kind: 'listed' | 'everyone'
}

interface MemberRow {
  user_id: number
  group_id: number
  /** ms, UTC; 0 for who joined before this was noted. */
  created_at: number
}

interface HideRow {
  user_id: number
  share_id: number
}

/** A favourite in another's place. */
interface FavoriteRow {
  user_id: number
  file_id: number
}

export const shares = model<ShareRow, Omit<ShareRow, 'id'>>('shares')
export const userGroups = model<GroupRow, Omit<GroupRow, 'id'>>('user_groups')
export const groupMembers = model<MemberRow>('group_members')
export const shareHides = model<HideRow>('share_hides')
export const favorites = model<FavoriteRow>('favorites')
