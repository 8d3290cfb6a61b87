/** Locks one row for a decision. SQLite has one writer at a time, so its writes need no such lock. */
import type { Database } from './database.ts'

/**
 * Locks a row until the commit, so that what the write reads after it does not change. The nodes of a Galera cluster do not
 * know each other's row locks, but of two writes that change the same row, one has to run again. So on a cluster the lock
 * is a change.
 */
export async function lockRow(
  db: Database,
  table: 'spaces' | 'roles' | 'links',
  column: string,
  value: string | number,
): Promise<void> {
  if (db.isCluster()) await db.change(`UPDATE ${table} SET lock_turn = lock_turn + 1 WHERE ${column} = $1`, [value])
  else if (db.dialect === 'mariadb') await db.row(`SELECT id FROM ${table} WHERE ${column} = $1 FOR UPDATE`, [value])
}
