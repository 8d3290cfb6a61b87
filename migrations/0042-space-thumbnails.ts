import { dropTable, type Migration, mariadbTable } from './migration.ts'

/**
 * Each space has its own thumbnails. Otherwise the response time would reveal that another user has the same image.
 * `key` is the thumbnail's key in the store; NULL if the content cannot have one.
 */
export const spaceThumbnails: Migration = {
  name: '0042-space-thumbnails',
  up: {
    sqlite: [
      `CREATE TABLE space_thumbnails (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        blob_id INTEGER NOT NULL REFERENCES blobs (id) ON DELETE CASCADE,
        space_id INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
        key TEXT UNIQUE,
        size INTEGER NOT NULL,
        UNIQUE (blob_id, space_id)
      )`,
      'CREATE INDEX space_thumbnails_space ON space_thumbnails (space_id)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS space_thumbnails (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        blob_id BIGINT NOT NULL,
        space_id BIGINT NOT NULL,
        \`key\` VARCHAR(64) UNIQUE,
        size BIGINT NOT NULL,
        UNIQUE INDEX space_thumbnails_blob (blob_id, space_id),
        INDEX space_thumbnails_space (space_id),
        FOREIGN KEY (blob_id) REFERENCES blobs (id) ON DELETE CASCADE,
        FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('space_thumbnails'),
}
