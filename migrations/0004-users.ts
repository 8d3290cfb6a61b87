import { dropTable, type Migration, mariadbTable } from './migration.ts'

export const users: Migration = {
  name: '0004-users',
  up: {
    sqlite: [
      `CREATE TABLE users (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        username TEXT NOT NULL,
        username_key TEXT NOT NULL UNIQUE,
        email TEXT NOT NULL,
        email_key TEXT NOT NULL UNIQUE,
        full_name TEXT,
        password_hash TEXT NOT NULL,
        role_id INTEGER NOT NULL REFERENCES roles (id),
        is_active INTEGER NOT NULL,
        must_change_password INTEGER NOT NULL,
        last_login_at INTEGER,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
      )`,
      'CREATE INDEX users_role ON users (role_id)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS users (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        username VARCHAR(255) NOT NULL,
        username_key VARCHAR(255) NOT NULL UNIQUE,
        email VARCHAR(320) NOT NULL,
        email_key VARCHAR(320) NOT NULL UNIQUE,
        full_name VARCHAR(255),
        password_hash VARCHAR(255) NOT NULL,
        role_id BIGINT NOT NULL,
        is_active TINYINT NOT NULL,
        must_change_password TINYINT NOT NULL,
        last_login_at BIGINT,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        FOREIGN KEY (role_id) REFERENCES roles (id)
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('users'),
}
