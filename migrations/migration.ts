/** Defines a migration: a fixed name, and plain SQL for each dialect in both directions. */
interface Statements {
  sqlite: readonly string[]
  /**
   * MariaDB commits at each DDL statement, so a migration has at most one of them. Every statement must be able to run
   * twice, because the server may crash before the migration is recorded as done.
   */
  mariadb: readonly string[]
}

export interface Migration {
  /** Must never change once released, because databases record it. */
  name: string
  /**
   * Whether servers of the release before work on its tables as well: it makes tables, indexes and nullable or defaulted
   * columns, and nothing that such a server must know. Without it, all servers stop for the migration.
   */
  rolling?: true
  up: Statements
  down: Statements
}

/** Text is compared byte by byte and without padding: with `_bin` alone, 'b' would equal 'b '. */
export const mariadbTable = 'ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin'

/** The time of the migration in ms, rounded to the second, for rows that it adds. */
export const migrationTime = { sqlite: 'unixepoch() * 1000', mariadb: 'UNIX_TIMESTAMP() * 1000' } as const

/** `down` of a migration that creates a table. */
export const dropTable = (table: string): Statements => ({
  sqlite: [`DROP TABLE ${table}`],
  mariadb: [`DROP TABLE IF EXISTS ${table}`],
})

/** `down` of a migration that adds rows: other rows may refer to them, so they stay until their tables are dropped. */
export const rowsStay: Statements = { sqlite: [], mariadb: [] }
