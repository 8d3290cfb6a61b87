/** What a migration is: a fixed name, and plain SQL for each dialect in both directions. */
interface Statements {
  sqlite: readonly string[]
  /**
   * MariaDB commits at each DDL statement, so a migration holds at most one of them; and since a crash may come before
   * the migration is noted as done, every statement can run a second time.
   */
  mariadb: readonly string[]
}

export interface Migration {
  /** Never changes once released: the database remembers it. */
  name: string
  up: Statements
  down: Statements
}

/** Text is compared byte by byte and without padding: with `_bin` alone, 'b' would equal 'b '. */
export const mariadbTable = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin'

/** The time of migrating in ms, to the second, for rows that a migration adds. */
export const migrationTime = { sqlite: 'unixepoch() * 1000', mariadb: 'UNIX_TIMESTAMP() * 1000' } as const

/** The way back of a migration that makes a table. */
export const dropTable = (table: string): Statements => ({
  sqlite: [`DROP TABLE ${table}`],
  mariadb: [`DROP TABLE IF EXISTS ${table}`],
})

/** The way back of a migration that fills tables: others refer to its rows by then, so they go with their tables. */
export const rowsStay: Statements = { sqlite: [], mariadb: [] }
