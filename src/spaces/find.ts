/** Looks up team folders with their members; only this file reads a team space by id. */
import { isForUser, listedMembers } from '../access/share-sql.ts'
import { unite } from '../access/standing.ts'
import { maxManagers } from '../api/limits.ts'
import type { ShareLevel } from '../api/share-levels.ts'
import type { Person } from '../api/shares.ts'
import type { Space } from '../api/spaces.ts'
import { notFound } from '../base/errors.ts'
import type { Database } from '../db/database.ts'
import type { SpaceRow } from '../db/models/spaces.ts'
import { isOneOf } from '../db/values.ts'

export interface TeamRow extends Omit<SpaceRow, 'revision'> {
  folder_id: number
  name: string
}

const teams = `SELECT sp.id, sp.kind, sp.owner_id, sp.storage_used, sp.storage_quota, sp.item_count, sp.editors_may_link,
    sp.created_at, f.id AS folder_id, f.name
  FROM spaces sp JOIN files f ON f.space_id = sp.id AND f.live_parent = 0 AND f.is_directory = 1
  WHERE sp.kind = 'team'`

/** All team folders, by name. */
export const findTeams = (db: Database): Promise<TeamRow[]> => db.rows<TeamRow>(`${teams} ORDER BY f.sort_key, sp.id`)

/** A team folder by the id of its space. Throws `not_found`. */
export async function findTeam(db: Database, id: number): Promise<TeamRow> {
  const row = await db.row<TeamRow>(`${teams} AND sp.id = $1`, [id])
  if (row === undefined) throw notFound('Team folder')
  return row
}

/** The team folders of which a user is a member, by name. */
export const findTeamsOf = (db: Database, userId: number): Promise<TeamRow[]> =>
  db.rows<TeamRow>(
    `${teams} AND EXISTS (SELECT 1 FROM shares s
       WHERE s.item_id = f.id AND ${isForUser('$1')} AND (s.expires_at IS NULL OR s.expires_at > $2))
     ORDER BY f.sort_key, sp.id`,
    [userId, Date.now()],
  )

type Membership = Pick<Space, 'level' | 'via'>

const outside: Membership = { level: null, via: null }

interface OwnGrantRow {
  item_id: number
  user_id: number | null
  level: ShareLevel
}

/** The level that levels make together: the highest by what it allows. */
function levelOf(levels: readonly ShareLevel[]): ShareLevel {
  const { manage, change, see } = unite(levels)
  if (manage) return 'manage'
  if (change) return 'edit'
  return see ? 'view' : 'upload'
}

function membershipOf(grants: readonly OwnGrantRow[]): Membership {
  if (grants.length === 0) return outside
  const level = levelOf(grants.map(grant => grant.level))
  const own = grants.filter(grant => grant.user_id !== null).map(grant => grant.level)
  return { level, via: own.length > 0 && levelOf(own) === level ? 'member' : 'group' }
}

async function findOwnGrants(db: Database, userId: number, folderIds: readonly number[]): Promise<OwnGrantRow[]> {
  const [user, now] = [`$${folderIds.length + 1}`, `$${folderIds.length + 2}`]
  return db.rows<OwnGrantRow>(
    `SELECT s.item_id, s.user_id, s.level FROM shares s JOIN spaces sp ON sp.id = s.space_id
     WHERE ${isOneOf('s.item_id', folderIds)} AND ${isForUser(user)} AND (s.expires_at IS NULL OR s.expires_at > ${now})`,
    [...folderIds, userId, Date.now()],
  )
}

interface CountRow {
  item_id: number
  count: number
}

/** The numbers of active users who are members, each counted once, whatever brings them. */
function countMembers(db: Database, folderIds: readonly number[]): Promise<CountRow[]> {
  const now = `$${folderIds.length + 1}`
  const valid = `${isOneOf('s.item_id', folderIds)} AND (s.expires_at IS NULL OR s.expires_at > ${now})`
  return db.rows<CountRow>(
    `SELECT m.item_id, COUNT(*) AS count FROM (
       SELECT s.item_id, s.user_id FROM shares s WHERE ${valid} AND s.user_id IS NOT NULL
       UNION SELECT s.item_id, m.user_id FROM ${listedMembers} JOIN shares s ON s.group_id = m.group_id WHERE ${valid}
       UNION SELECT s.item_id, a.id FROM shares s JOIN user_groups g ON g.id = s.group_id AND g.kind = 'everyone'
         JOIN settings t ON t.\`key\` = 'sharing_everyone' AND t.value = 'true' CROSS JOIN users a WHERE ${valid}) m
     JOIN users u ON u.id = m.user_id AND u.is_active = 1 GROUP BY m.item_id`,
    [...folderIds, Date.now()],
  )
}

interface ManagerRow extends Person {
  item_id: number
}

const findManagers = (db: Database, folderIds: readonly number[]): Promise<ManagerRow[]> =>
  db.rows<ManagerRow>(
    `SELECT s.item_id, u.id, u.username, u.full_name FROM shares s JOIN users u ON u.id = s.user_id
     WHERE ${isOneOf('s.item_id', folderIds)} AND s.level = 'manage' ORDER BY u.username_key`,
    folderIds,
  )

/** What is told of team folders besides their rows, for a user. */
export async function findMemberships(db: Database, userId: number, folderIds: readonly number[]) {
  const [grants, counts, managers] = await Promise.all([
    findOwnGrants(db, userId, folderIds),
    countMembers(db, folderIds),
    findManagers(db, folderIds),
  ])
  return (folderId: number) => ({
    ...membershipOf(grants.filter(grant => grant.item_id === folderId)),
    member_count: counts.find(row => row.item_id === folderId)?.count ?? 0,
    managers: managers
      .filter(manager => manager.item_id === folderId)
      .slice(0, maxManagers)
      .map(({ id, username, full_name }): Person => ({ id, username, full_name })),
  })
}
