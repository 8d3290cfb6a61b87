import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** The servers that work on the database, and when each was last seen, by the database's clock. */
export const nodes: Migration = {
  name: '0087-nodes',
  rolling: true,
  up: {
    sqlite: [
      `CREATE TABLE nodes (
        node_id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        version TEXT NOT NULL,
        \`schema\` TEXT NOT NULL,
        address TEXT NOT NULL,
        clock_skew INTEGER NOT NULL,
        started_at INTEGER NOT NULL,
        seen_at INTEGER NOT NULL
      ) WITHOUT ROWID`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS nodes (
        node_id VARCHAR(64) PRIMARY KEY,
        name VARCHAR(255) NOT NULL,
        version VARCHAR(64) NOT NULL,
        \`schema\` VARCHAR(64) NOT NULL,
        address VARCHAR(255) NOT NULL,
        clock_skew BIGINT NOT NULL,
        started_at BIGINT NOT NULL,
        seen_at BIGINT NOT NULL
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('nodes'),
}
