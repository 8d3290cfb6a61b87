import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** The catalogue of permissions as rows, so that roles can refer to them. */
export const permissions: Migration = {
  name: '0001-permissions',
  up: {
    sqlite: [
      `CREATE TABLE permissions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE
      )`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS permissions (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        \`key\` VARCHAR(64) NOT NULL UNIQUE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('permissions'),
}
