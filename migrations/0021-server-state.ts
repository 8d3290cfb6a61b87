import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** What the server must remember across restarts: when it was last alive, how long a purge is held. */
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
