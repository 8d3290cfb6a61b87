import { dropTable, type Migration, mariadbTable } from './migration.ts'

export const roles: Migration = {
  name: '0002-roles',
  up: {
    sqlite: [
      `CREATE TABLE roles (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        description TEXT,
        is_system INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      )`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS roles (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        name VARCHAR(255) NOT NULL UNIQUE,
        description TEXT,
        is_system TINYINT NOT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('roles'),
}
