import { dropTable, type Migration, mariadbTable } from './migration.ts'

export const apiKeys: Migration = {
  name: '0007-api-keys',
  up: {
    sqlite: [
      `CREATE TABLE api_keys (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        key_id TEXT NOT NULL UNIQUE,
        secret_hash TEXT NOT NULL,
        kind TEXT NOT NULL,
        permissions TEXT NOT NULL,
        is_active INTEGER NOT NULL,
        created_at INTEGER NOT NULL,
        last_used_at INTEGER
      )`,
      'CREATE INDEX api_keys_user ON api_keys (user_id)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS api_keys (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        user_id BIGINT NOT NULL,
        name VARCHAR(255) NOT NULL,
        key_id VARCHAR(64) NOT NULL UNIQUE,
        secret_hash CHAR(64) NOT NULL,
        kind VARCHAR(16) NOT NULL,
        permissions TEXT NOT NULL,
        is_active TINYINT NOT NULL,
        created_at BIGINT NOT NULL,
        last_used_at BIGINT,
        INDEX api_keys_user (user_id),
        FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('api_keys'),
}
