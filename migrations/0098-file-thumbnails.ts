import { dropTable, type Migration, mariadbTable } from './migration.ts'

/**
 * Each file has its own thumbnail. One that equal files shared would reveal, by the response time, that there is another
 * one. `blob_id` is the content that it shows, which may have been replaced since; `key` is NULL if that cannot have one.
 */
export const fileThumbnails: Migration = {
  name: '0098-file-thumbnails',
  rolling: true,
  up: {
    sqlite: [
      `CREATE TABLE file_thumbnails (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        file_id INTEGER NOT NULL UNIQUE REFERENCES files (id) ON DELETE CASCADE,
        blob_id INTEGER NOT NULL,
        space_id INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
        key TEXT UNIQUE,
        size INTEGER NOT NULL,
        bytes BLOB
      )`,
      'CREATE INDEX file_thumbnails_age ON file_thumbnails (space_id, id, size)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS file_thumbnails (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        file_id BIGINT NOT NULL,
        blob_id BIGINT NOT NULL,
        space_id BIGINT NOT NULL,
        \`key\` VARCHAR(64) UNIQUE,
        size BIGINT NOT NULL,
        bytes BLOB,
        UNIQUE INDEX file_thumbnails_file (file_id),
        INDEX file_thumbnails_age (space_id, id, size),
        FOREIGN KEY (file_id) REFERENCES files (id) ON DELETE CASCADE,
        FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('file_thumbnails'),
}
