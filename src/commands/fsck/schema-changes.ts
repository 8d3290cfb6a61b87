/** Schema changes of a repair: all or nothing on SQLite, one by one on MariaDB. */
import type { Database } from '../../db/database.ts'
import { systemActor } from '../../db/write-actor.ts'

/**
 * MariaDB commits before such a statement, and sessions are read-only outside a transaction. Rows that violate a
 * foreign key must not prevent creating it, because other checks find them through it.
 */
const forMariadb = 'SET STATEMENT tx_read_only = 0, foreign_key_checks = 0 FOR'

/** Runs one statement, in the surrounding write if there is one. */
export const changeOnce = (db: Database, sql: string): Promise<number> =>
  db.touch(() => db.change(db.dialect === 'mariadb' ? `${forMariadb} ${sql}` : sql))

/** Runs statements as a unit. MariaDB commits at each of them, which would end a surrounding write. */
export async function changeSchema(db: Database, work: () => Promise<void>): Promise<void> {
  if (db.dialect === 'mariadb') return work()
  await db.write(systemActor, record => {
    record.nothing()
    return work()
  })
}

/**
 * Changes rows that an index of a UNIQUE column lacks, which SQLite refuses otherwise. Such an index cannot be dropped;
 * build it anew in the same write.
 */
export async function withDamagedEntries(db: Database, work: () => Promise<void>): Promise<void> {
  await changeOnce(db, 'PRAGMA writable_schema = ON')
  try {
    await work()
  } finally {
    await changeOnce(db, 'PRAGMA writable_schema = OFF')
  }
}
