/** Changes of the schema itself, which a repair makes: all of one or none on SQLite, one by one on MariaDB. */
import type { Database } from '../../db/database.ts'
import { systemActor } from '../../db/write.ts'

/**
 * MariaDB ends the transaction before such a statement, and its sessions read only outside of one. Rows that name others
 * which are not there do not stand in the way of a foreign key: they are found by it.
 */
const forMariadb = 'SET STATEMENT tx_read_only = 0, foreign_key_checks = 0 FOR'

/** Runs one statement, in the write around it where there is one. */
export const changeOnce = (db: Database, sql: string): Promise<number> =>
  db.touch(() => db.change(db.dialect === 'mariadb' ? `${forMariadb} ${sql}` : sql))

/** Has several statements succeed or fail together. MariaDB commits at each of them, and would end a write around them. */
export async function changeSchema(db: Database, work: () => Promise<void>): Promise<void> {
  if (db.dialect === 'mariadb') return work()
  await db.write(systemActor, record => {
    record.nothing()
    return work()
  })
}
