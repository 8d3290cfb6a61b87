import type { Migration } from './migration.ts'

/**
 * Indexes of a folder's files by size and by type, so that the first page costs the same for any number of files.
 * Folders have neither and are sorted by name, so SQLite leaves them out.
 */
export const filesBySizeAndType: Migration = {
  name: '0038-files-by-size-and-type',
  up: {
    sqlite: [
      'CREATE INDEX files_by_size ON files (space_id, live_parent, is_directory, size, sort_key) WHERE is_directory = 0',
      'CREATE INDEX files_by_type ON files (space_id, live_parent, is_directory, mime_type, sort_key) WHERE is_directory = 0',
    ],
    mariadb: [
      `ALTER TABLE files
        ADD INDEX IF NOT EXISTS files_by_size (space_id, live_parent, is_directory, size, sort_key),
        ADD INDEX IF NOT EXISTS files_by_type (space_id, live_parent, is_directory, mime_type, sort_key)`,
    ],
  },
  down: {
    sqlite: ['DROP INDEX files_by_size', 'DROP INDEX files_by_type'],
    mariadb: ['ALTER TABLE files DROP INDEX IF EXISTS files_by_size, DROP INDEX IF EXISTS files_by_type'],
  },
}
