/** Finds the users whose own storage one may be that does not say so, and names another user. */
import type { Database } from '../../db/database.ts'

const topItemsOf = 'SELECT f.id FROM files f WHERE f.space_id = s.id AND f.live_parent = 0 AND f.owner_id = u.id'
/** Whether something else is at the top, too. MariaDB knows no outer row in a table made by FROM, which could be counted. */
const isNotAlone = 'EXISTS (SELECT o.id FROM files o WHERE o.space_id = s.id AND o.live_parent = 0 AND o.id <> f.id)'

/** A storage `t` of the user `u` besides. */
const otherOf = (which: string): string =>
  `SELECT t.id FROM spaces t WHERE t.owner_id = u.id AND t.id <> s.id AND ${which}`

/**
 * Pairs of a team's storage `s`, or one of unknown kind, that nobody manages and a user `u` who is not its owner. Either it
 * is as old as the user, who has no other one of that time, or the user owns what is at its top and has no storage, or owns
 * a folder there that is not the team folder alone.
 */
const claims = `FROM spaces s JOIN users u ON u.id <> s.owner_id
  WHERE COALESCE(s.kind, '') <> 'personal'
    AND NOT EXISTS (SELECT 1 FROM shares h WHERE h.space_id = s.id AND h.level = 'manage')
    AND ((u.created_at = s.created_at AND NOT EXISTS (${otherOf('t.created_at = u.created_at')}))
      OR (EXISTS (${topItemsOf}) AND NOT EXISTS (${otherOf("t.kind = 'personal'")}))
      OR EXISTS (${topItemsOf} AND f.is_directory = 1 AND ${isNotAlone}))`

/** The teams' storages that may be the own one of a user who is not their owner. */
export const findClaimedTeams = async (db: Database): Promise<number[]> =>
  (await db.rows<{ id: number }>(`SELECT DISTINCT s.id ${claims} ORDER BY s.id`)).map(({ id }) => id)

export const isClaimedTeam = async (db: Database, id: number): Promise<boolean> =>
  (await db.row(`SELECT s.id ${claims} AND s.id = $1 LIMIT 1`, [id])) !== undefined

/** The teams' storages that may be a user's own one. */
export const findTeamsClaimedBy = async (db: Database, userId: number): Promise<number[]> =>
  (await db.rows<{ id: number }>(`SELECT s.id ${claims} AND u.id = $1 ORDER BY s.id`, [userId])).map(({ id }) => id)
