/** The database's clock, which all processes on one database share, so that their machines' clocks need not agree. */
import type { Database } from './database.ts'

type Dialect = Database['dialect']

const expressions: Record<Dialect, string> = {
  sqlite: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  mariadb: 'CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)',
}

/** SQL of the time at which a statement runs: whole ms, UTC. */
export const sqlNow = (dialect: Dialect): string => expressions[dialect]
