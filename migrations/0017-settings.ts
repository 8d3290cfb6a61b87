import { dropTable, type Migration, mariadbTable } from './migration.ts'

export const settings: Migration = {
  name: '0017-settings',
  up: {
    sqlite: [
      `CREATE TABLE settings (
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL,
        updated_at INTEGER NOT NULL
      ) WITHOUT ROWID`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS settings (
        \`key\` VARCHAR(64) PRIMARY KEY,
        value VARCHAR(255) NOT NULL,
        updated_at BIGINT NOT NULL
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('settings'),
}
