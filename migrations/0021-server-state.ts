import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** State that the server keeps across restarts: when it was last alive, and how much longer the purge is on hold. */
export const serverState: Migration = {
  name: '0021-server-state',
  up: {
    sqlite: [
      `CREATE TABLE server_state (
        key TEXT PRIMARY KEY,
        value INTEGER NOT NULL
      ) WITHOUT ROWID`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS server_state (
        \`key\` VARCHAR(64) PRIMARY KEY,
        value BIGINT NOT NULL
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('server_state'),
}
