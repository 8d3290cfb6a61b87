/**
 * Counts shared by several processes on one MariaDB, each within a time window that its first point opens. Times come
 * from the database, so the clocks of the processes' machines need not agree.
 */
import type { Database } from './database.ts'
import { sqlNow } from './database-time.ts'

interface Points {
  /** At most 64 characters. */
  name: string
  points: number
  /** ms until the window ends, if these points open it. */
  left: number
  /** The longest possible window in ms. One that would end later was opened by a wrong clock, and counts as ended. */
  longest: number
}

export interface Sum {
  name: string
  points: number
  /** ms. */
  left: number
}

const now = sqlNow('mariadb')

async function addPoints(db: Database, { name, points, left, longest }: Points): Promise<Sum> {
  const isOver = `(ends_at <= ${now} OR ends_at > ${now} + $4)`
  await db.change(
    // Set the points first, because they depend on the old end.
    `INSERT INTO shared_counts (name, points, ends_at) VALUES ($1, GREATEST(0, $2), ${now} + $3)
     ON DUPLICATE KEY UPDATE
       points = GREATEST(0, IF(${isOver}, 0, points) + $2),
       ends_at = IF(${isOver}, ${now} + $3, ends_at)`,
    [name, points, Math.round(left), longest],
  )
  const query = `SELECT name, points, ends_at - ${now} AS \`left\` FROM shared_counts WHERE name = $1`
  return (await db.row<Sum>(query, [name])) ?? { name, points, left }
}

/**
 * Adds points, which may be negative, and returns the new sums over all processes; no sum is below 0. `turn`: that of the
 * write, where strangers cause any number of them.
 */
export const addAllPoints = (db: Database, list: readonly Points[], turn?: string): Promise<Sum[]> =>
  db.touch(async () => {
    const sums: Sum[] = []
    // Every process uses the same order, so no two wait for each other.
    const sorted = [...list].sort((one, other) => (one.name < other.name ? -1 : 1))
    for (const points of sorted) sums.push(await addPoints(db, points))
    return sums
  }, turn)

/** Deletes a count. `turn`: as of `addAllPoints`. */
export const forgetCount = (db: Database, name: string, turn: string): Promise<number> =>
  db.touch(() => db.change('DELETE FROM shared_counts WHERE name = $1', [name]), turn)

/** Deletes counts whose windows have ended, including those of a wrong clock. `longest`: ms of the longest window. */
export const deleteEndedCounts = (db: Database, longest: number): Promise<number> =>
  db.touch(() => db.change(`DELETE FROM shared_counts WHERE ends_at <= ${now} OR ends_at > ${now} + $1`, [longest]))
