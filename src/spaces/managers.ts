/** Appoints the managers of a team folder, inside a write that holds the lock of its space. */
import type { Principal } from '../access/actor.ts'
import { beginningOf } from '../access/beginning.ts'
import { refuseEmpowering } from '../access/refuse.ts'
import { listedMembers } from '../access/share-sql.ts'
import type { ShareLevel } from '../api/share-levels.ts'
import { AppError, invalidField, notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import { lockSpace } from '../db/lock-space.ts'
import type { Recorder } from '../db/recorder.ts'
import { isOneOf } from '../db/values.ts'
import { findUserIds, requireIdsAllowed } from './named.ts'

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

/** The managers that a call names, by id or by username; undefined for none. */
interface NamedManagers {
  manager_ids?: number[] | undefined
  manager_names?: string[] | undefined
}

/** The ids of named managers; undefined for none. Throws `not_found`, and `invalid_input` for ids that would tell. */
export async function findManagersNamed(
  db: Database,
  actor: Principal,
  { manager_ids: ids, manager_names: names }: NamedManagers,
): Promise<number[] | undefined> {
  if (ids !== undefined && names !== undefined) {
    throw invalidField('manager_names', 'Expected either manager_ids or manager_names')
  }
  if (ids !== undefined) await requireIdsAllowed(db, actor, 'manager_ids')
  return names === undefined ? ids : findUserIds(db, names)
}

interface ManagerRow extends UserRow {
  share_id: number
  level: ShareLevel
  expires_at: number | null
  created_at: number
}

/** The users' own shares on the team folder. */
const findOwnShares = (db: Database, folderId: number): Promise<ManagerRow[]> =>
  db.rows<ManagerRow>(
    `SELECT u.id, u.username, s.id AS share_id, s.level, s.expires_at, s.created_at FROM shares s JOIN users u ON u.id = s.user_id
     WHERE s.item_id = $1`,
    [folderId],
  )

/** The active users who manage a team folder without an end, by a share of their own or of a group. */
export async function findManagerIds(db: Database, folderId: number): Promise<number[]> {
  const managing = "s.item_id = $1 AND s.level = 'manage' AND s.expires_at IS NULL"
  const rows = await db.rows<{ id: number }>(
    `SELECT u.id FROM users u WHERE u.is_active = 1 AND u.id IN (
       SELECT s.user_id FROM shares s WHERE ${managing} AND s.user_id IS NOT NULL
       UNION SELECT m.user_id FROM ${listedMembers} JOIN shares s ON s.group_id = m.group_id WHERE ${managing})
     ORDER BY u.id`,
    [folderId],
  )
  return rows.map(({ id }) => id)
}

/**
 * Throws `protected` unless an active user manages the team folder without an end. Call it in the write that holds the
 * space's lock, after the change.
 */
export async function requireManager(db: Database, rootId: number): Promise<void> {
  if ((await findManagerIds(db, rootId)).length > 0) return
  throw new AppError('protected', 'A team folder needs an active manager whose access does not end')
}

/** The team folders that are managed without an end by the shares `s` of a condition. */
const findManaged = (db: Database, condition: string, id: number): Promise<Team[]> =>
  db.rows<Team>(
    `SELECT DISTINCT s.space_id AS id, s.item_id AS folder_id, f.name FROM shares s
       JOIN spaces p ON p.id = s.space_id AND p.kind = 'team' JOIN files f ON f.id = s.item_id AND f.parent_id IS NULL
     WHERE s.level = 'manage' AND s.expires_at IS NULL AND ${condition} ORDER BY s.space_id`,
    [id],
  )

/**
 * The team folders of a disabled user that no active user manages. A lock is never refused for them: it may have to end
 * an attacker's session at once, and whoever may manage all team folders can appoint a manager afterwards.
 */
export async function findUnmanaged(db: Database, userId: number): Promise<Team[]> {
  const groups = `SELECT m.group_id FROM ${listedMembers} WHERE m.user_id = $1`
  const unmanaged: Team[] = []
  for (const team of await findManaged(db, `(s.user_id = $1 OR s.group_id IN (${groups}))`, userId)) {
    if ((await findManagerIds(db, team.folder_id)).length === 0) unmanaged.push(team)
  }
  return unmanaged
}

/**
 * Makes a change after which members of a group may manage no more. Throws `protected` if that takes the last active
 * manager from a team folder. Locks the spaces of the teams; call it in a write.
 */
export async function keepManagers<T>(db: Database, groupId: number, change: () => Promise<T>): Promise<T> {
  const managed: number[] = []
  for (const { id, folder_id } of await findManaged(db, 's.group_id = $1', groupId)) {
    await lockSpace(db, id)
    if ((await findManagerIds(db, folder_id)).length > 0) managed.push(folder_id)
  }
  const result = await change()
  for (const rootId of managed) await requireManager(db, rootId)
  return result
}

/**
 * Makes a user a manager who stays one without an end; records a change of the level. Throws `forbidden` for a key that
 * may not give this; who is one already stays one.
 */
export async function addManager(
  db: Database,
  record: Recorder,
  actor: Principal,
  team: Team,
  { id, username }: UserRow,
): Promise<void> {
  const share = (await findOwnShares(db, team.folder_id)).find(one => one.id === id)
  if (share?.level === 'manage' && share.expires_at === null) return
  refuseEmpowering(actor)
  const place = { id: team.folder_id, spaceId: team.id }
  const detail = { name: team.name, who: username, level: 'manage' }
  if (share !== undefined) {
    const changed = { level: 'manage', expires_at: null } as const
    await db.update(db.shares, { ...changed, created_at: beginningOf(share, changed) }, share.share_id)
    if (share.level !== 'manage') record('share.update', place, { ...detail, from: share.level })
    return
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

/**
 * Makes exactly these users the managers, besides managers by a group. Who was one stays a member who may edit. Records
 * each change. Throws `not_found` for an unknown or disabled user, and as `addManager`.
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
  for (const user of appointed) await addManager(db, record, actor, team, user)
  const kept = new Set(appointed.map(({ id }) => id))
  for (const { id, username, share_id, level } of before) {
    if (level !== 'manage' || kept.has(id)) continue
    await db.update(db.shares, { level: 'edit' }, share_id)
    const detail = { name: team.name, who: username, from: level, level: 'edit' }
    record('share.update', { id: team.folder_id, spaceId: team.id }, detail)
  }
  await db.update(db.spaces, { owner_id: appointed[0]?.id }, team.id)
}
