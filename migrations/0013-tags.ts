import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** Tags; each belongs to one user. */
export const tags: Migration = {
  name: '0013-tags',
  up: {
    sqlite: [
      `CREATE TABLE tags (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        owner_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        color TEXT NOT NULL,
        UNIQUE (owner_id, name)
      )`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS tags (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        owner_id BIGINT NOT NULL,
        name VARCHAR(255) NOT NULL,
        color CHAR(7) NOT NULL,
        UNIQUE INDEX tags_name (owner_id, name),
        FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('tags'),
}
