import type { Migration } from './migration.ts'

/**
 * Indexes for the validation queue and the favourites. On SQLite they contain only the rows that are listed; deleted_at
 * is in one of them so that SQLite prefers it to files_recent.
 */
export const fileLists: Migration = {
  name: '0023-file-lists',
  up: {
    sqlite: [
      "CREATE INDEX files_pending ON files (created_at, id) WHERE validation_status = 'pending' AND deleted_at IS NULL",
      'CREATE INDEX files_favorites ON files (space_id, deleted_at) WHERE is_favorite = 1 AND deleted_at IS NULL',
    ],
    mariadb: [
      `ALTER TABLE files
        ADD INDEX IF NOT EXISTS files_pending (validation_status, deleted_at, created_at),
        ADD INDEX IF NOT EXISTS files_favorites (space_id, is_favorite, deleted_at)`,
    ],
  },
  down: {
    sqlite: ['DROP INDEX files_pending', 'DROP INDEX files_favorites'],
    mariadb: ['ALTER TABLE files DROP INDEX IF EXISTS files_pending, DROP INDEX IF EXISTS files_favorites'],
  },
}
