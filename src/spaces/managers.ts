/** Appoints the managers of a team folder, inside a write that holds the lock of its space. */
import type { Principal } from '../access/actor.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { isOneOf } from '../db/values.ts'
import type { Recorder } from '../db/write.ts'

interface Team {
  id: number
  folder_id: number
  name: string
}

interface UserRow {
  id: number
  username: string
}

/** The active users with the given ids. Throws `not_found` if one is unknown or disabled. */
export async function findAppointed(db: Database, ids: readonly number[]): Promise<UserRow[]> {
  const wanted = [...new Set(ids)]
  const rows = await db.rows<UserRow>(
    `SELECT u.id, u.username FROM users u WHERE u.is_active = 1 AND ${isOneOf('u.id', wanted)} ORDER BY u.id`,
    wanted,
  )
  if (rows.length < wanted.length) throw notFound('User')
  return rows
}

interface ManagerRow extends UserRow {
  share_id: number
  level: string
}

/** The users' own shares on the team folder. */
const findOwnShares = (db: Database, folderId: number): Promise<ManagerRow[]> =>
  db.rows<ManagerRow>(
    `SELECT u.id, u.username, s.id AS share_id, s.level FROM shares s JOIN users u ON u.id = s.user_id
     WHERE s.item_id = $1`,
    [folderId],
  )

/**
 * Makes exactly these users the managers, besides managers by a group. Who was one stays a member who may edit. Records
 * each change. Throws `not_found` for an unknown or disabled user.
 */
export async function setManagers(
  db: Database,
  record: Recorder,
  actor: Principal,
  team: Team,
  ids: readonly number[],
): Promise<void> {
  const appointed = await findAppointed(db, ids)
  const before = await findOwnShares(db, team.folder_id)
  const place = { id: team.folder_id, spaceId: team.id }
  for (const { id, username } of appointed) {
    const share = before.find(one => one.id === id)
    if (share?.level === 'manage') {
      await db.update(db.shares, { expires_at: null }, share.share_id)
      continue
    }
    const detail = { name: team.name, who: username, level: 'manage' }
    if (share !== undefined) {
      await db.update(db.shares, { level: 'manage', expires_at: null }, share.share_id)
      record('share.update', place, { ...detail, from: share.level })
      continue
    }
    await db.insert(db.shares, {
      space_id: team.id,
      item_id: team.folder_id,
      user_id: id,
      group_id: null,
      level: 'manage',
      created_by: actor.userId,
      created_at: Date.now(),
      expires_at: null,
    })
    record('share.create', place, detail)
  }
  const kept = new Set(appointed.map(({ id }) => id))
  for (const { id, username, share_id, level } of before) {
    if (level !== 'manage' || kept.has(id)) continue
    await db.update(db.shares, { level: 'edit' }, share_id)
    record('share.update', place, { name: team.name, who: username, from: level, level: 'edit' })
  }
  await db.update(db.spaces, { owner_id: appointed[0]?.id }, team.id)
}
