import type { Migration } from './migration.ts'

/**
 * What the validation queue and the favourites read; on SQLite the indexes hold only the rows that they list, and
 * deleted_at stands in one of them so that it is chosen before files_recent.
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
