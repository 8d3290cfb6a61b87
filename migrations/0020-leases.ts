import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** Which of several processes runs a job, and until when. */
export const leases: Migration = {
  name: '0020-leases',
  up: {
    sqlite: [
      `CREATE TABLE leases (
        name TEXT PRIMARY KEY,
        holder TEXT NOT NULL,
        expires_at INTEGER NOT NULL
      ) WITHOUT ROWID`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS leases (
        name VARCHAR(64) PRIMARY KEY,
        holder VARCHAR(64) NOT NULL,
        expires_at BIGINT NOT NULL
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('leases'),
}
