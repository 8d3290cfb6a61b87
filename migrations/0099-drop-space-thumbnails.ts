import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** Drops the thumbnails that the equal files of a space shared. Files get new ones, and the sweeper removes old bytes. */
export const dropSpaceThumbnails: Migration = {
  name: '0099-drop-space-thumbnails',
  up: dropTable('space_thumbnails'),
  down: {
    sqlite: [
      `CREATE TABLE space_thumbnails (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        blob_id INTEGER NOT NULL REFERENCES blobs (id) ON DELETE CASCADE,
        space_id INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
        key TEXT UNIQUE,
        size INTEGER NOT NULL,
        bytes BLOB,
        UNIQUE (blob_id, space_id)
      )`,
      'CREATE INDEX space_thumbnails_age ON space_thumbnails (space_id, id, size)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS space_thumbnails (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        blob_id BIGINT NOT NULL,
        space_id BIGINT NOT NULL,
        \`key\` VARCHAR(64) UNIQUE,
        size BIGINT NOT NULL,
        bytes BLOB,
        UNIQUE INDEX space_thumbnails_blob (blob_id, space_id),
        INDEX space_thumbnails_age (space_id, id, size),
        FOREIGN KEY (blob_id) REFERENCES blobs (id) ON DELETE CASCADE,
        FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
}
