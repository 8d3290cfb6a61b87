import { dropTable, type Migration, mariadbTable } from './migration.ts'

export const sessions: Migration = {
  name: '0006-sessions',
  up: {
    sqlite: [
      `CREATE TABLE sessions (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        hash TEXT NOT NULL UNIQUE,
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        data TEXT NOT NULL,
        address TEXT,
        user_agent TEXT,
        created_at INTEGER NOT NULL,
        last_seen_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL
      )`,
      'CREATE INDEX sessions_user ON sessions (user_id)',
      'CREATE INDEX sessions_expiry ON sessions (expires_at)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS sessions (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        hash CHAR(64) NOT NULL UNIQUE,
        user_id BIGINT NOT NULL,
        data TEXT NOT NULL,
        address VARCHAR(64),
        user_agent VARCHAR(512),
        created_at BIGINT NOT NULL,
        last_seen_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL,
        INDEX sessions_user (user_id),
        INDEX sessions_expiry (expires_at),
        FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('sessions'),
}
