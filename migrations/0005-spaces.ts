import { dropTable, type Migration, mariadbTable } from './migration.ts'

export const spaces: Migration = {
  name: '0005-spaces',
  up: {
    sqlite: [
      `CREATE TABLE spaces (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,
        owner_id INTEGER NOT NULL REFERENCES users (id),
        storage_used INTEGER NOT NULL,
        storage_quota INTEGER NOT NULL,
        item_count INTEGER NOT NULL,
        revision INTEGER NOT NULL
      )`,
      'CREATE INDEX spaces_owner ON spaces (owner_id, kind)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS spaces (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        kind VARCHAR(16) NOT NULL,
        owner_id BIGINT NOT NULL,
        storage_used BIGINT NOT NULL,
        storage_quota BIGINT NOT NULL,
        item_count BIGINT NOT NULL,
        revision BIGINT NOT NULL,
        INDEX spaces_owner (owner_id, kind),
        FOREIGN KEY (owner_id) REFERENCES users (id)
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('spaces'),
}
