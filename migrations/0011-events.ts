import { dropTable, type Migration, mariadbTable } from './migration.ts'

export const events: Migration = {
  name: '0011-events',
  up: {
    sqlite: [
      `CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at INTEGER NOT NULL,
        actor_id INTEGER,
        actor_name TEXT NOT NULL,
        key_id INTEGER,
        address TEXT,
        action TEXT NOT NULL,
        space_id INTEGER,
        item_id INTEGER,
        detail TEXT
      )`,
      'CREATE INDEX events_item ON events (item_id)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS events (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        at BIGINT NOT NULL,
        actor_id BIGINT,
        actor_name VARCHAR(255) NOT NULL,
        key_id BIGINT,
        address VARCHAR(64),
        action VARCHAR(64) NOT NULL,
        space_id BIGINT,
        item_id BIGINT,
        detail TEXT,
        INDEX events_item (item_id)
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('events'),
}
