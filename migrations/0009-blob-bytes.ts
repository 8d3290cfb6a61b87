import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** The bytes of small blobs, in a table of their own so that blobs stays narrow. */
export const blobBytes: Migration = {
  name: '0009-blob-bytes',
  up: {
    sqlite: [
      `CREATE TABLE blob_bytes (
        blob_id INTEGER PRIMARY KEY REFERENCES blobs (id) ON DELETE CASCADE,
        bytes BLOB NOT NULL
      )`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS blob_bytes (
        blob_id BIGINT PRIMARY KEY,
        bytes MEDIUMBLOB NOT NULL,
        FOREIGN KEY (blob_id) REFERENCES blobs (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('blob_bytes'),
}
