import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** Groups of users. `kind`: `listed` has members, `everyone` stands for all active users. */
export const userGroups: Migration = {
  name: '0062-user-groups',
  up: {
    sqlite: [
      `CREATE TABLE user_groups (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL UNIQUE,
        kind TEXT NOT NULL
      )`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS user_groups (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        name VARCHAR(255) NOT NULL,
        name_key VARCHAR(255) NOT NULL UNIQUE,
        kind VARCHAR(16) NOT NULL
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('user_groups'),
}
