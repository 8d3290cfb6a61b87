import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** Counts that several processes on one database share: failed attempts, and the requests of keys. */
export const sharedCounts: Migration = {
  name: '0032-shared-counts',
  up: {
    sqlite: [
      `CREATE TABLE shared_counts (
        name TEXT PRIMARY KEY,
        points INTEGER NOT NULL,
        ends_at INTEGER NOT NULL
      ) WITHOUT ROWID`,
      'CREATE INDEX shared_counts_by_end ON shared_counts (ends_at)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS shared_counts (
        name VARCHAR(64) PRIMARY KEY,
        points BIGINT NOT NULL,
        ends_at BIGINT NOT NULL,
        INDEX shared_counts_by_end (ends_at)
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('shared_counts'),
}
