import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** `key` is the thumbnail's key in the store; NULL if the content cannot have one. */
export const thumbnails: Migration = {
  name: '0019-thumbnails',
  up: {
    sqlite: [
      `CREATE TABLE thumbnails (
        blob_id INTEGER PRIMARY KEY REFERENCES blobs (id) ON DELETE CASCADE,
        key TEXT UNIQUE,
        size INTEGER NOT NULL
      )`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS thumbnails (
        blob_id BIGINT PRIMARY KEY,
        \`key\` VARCHAR(64) UNIQUE,
        size BIGINT NOT NULL,
        FOREIGN KEY (blob_id) REFERENCES blobs (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('thumbnails'),
}
