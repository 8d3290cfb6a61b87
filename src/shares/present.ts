/** Builds the API form of shares: only fields listed here leave the server. */
import type { Principal } from '../access/actor.ts'
import type { FileItem } from '../api/items.ts'
import type { Grantee, Share } from '../api/shares.ts'
import { isoTime, maybeIsoTime } from '../base/iso-time.ts'
import type { Database } from '../db/database.ts'
import type { ItemRow } from '../files/item-row.ts'
import { presentItems } from '../files/present.ts'
import { addStandings } from '../files/surroundings.ts'
import type { GrantRow } from './find.ts'

/** The user or group that has a share. */
export const presentGrantee = ({ user_id, group_id, username, full_name, group_name }: GrantRow): Grantee =>
  user_id === null
    ? { kind: 'group', id: group_id ?? 0, name: group_name ?? '', full_name: null }
    : { kind: 'user', id: user_id, name: username ?? '', full_name }

/** The items of shares as the caller sees them, by id; fewer than asked for if they do not fit in one answer. */
export async function presentShared(
  db: Database,
  viewer: Principal,
  items: readonly ItemRow[],
): Promise<Map<number, FileItem>> {
  const rows = await addStandings(db, viewer, items)
  return new Map((await presentItems(db, viewer, rows)).items.map(item => [item.id, item]))
}

export const presentShare = (row: GrantRow, item: FileItem): Share => ({
  id: row.id,
  item,
  level: row.level,
  who: presentGrantee(row),
  created_at: isoTime(row.created_at),
  expires_at: maybeIsoTime(row.expires_at),
})
