import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** One row for each content: the hash is unique, so equal content is stored once. */
export const blobs: Migration = {
  name: '0008-blobs',
  up: {
    sqlite: [
      `CREATE TABLE blobs (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        key TEXT NOT NULL UNIQUE,
        place TEXT NOT NULL,
        size INTEGER NOT NULL,
        sha256 TEXT NOT NULL UNIQUE,
        created_at INTEGER NOT NULL
      )`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS blobs (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        \`key\` VARCHAR(64) NOT NULL UNIQUE,
        place VARCHAR(16) NOT NULL,
        size BIGINT NOT NULL,
        sha256 CHAR(64) NOT NULL UNIQUE,
        created_at BIGINT NOT NULL
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('blobs'),
}
