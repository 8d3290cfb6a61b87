import type { Migration } from './migration.ts'

/**
 * The files of one space with one content are found by one look, however many other users or its trash have it. Items in
 * the trash have no `live_parent`.
 */
export const filesByContent: Migration = {
  name: '0078-files-by-content',
  up: {
    sqlite: [
      `CREATE INDEX files_by_content ON files (space_id, blob_id)
       WHERE blob_id IS NOT NULL AND live_parent IS NOT NULL`,
    ],
    mariadb: ['ALTER TABLE files ADD INDEX IF NOT EXISTS files_by_content (space_id, blob_id, live_parent)'],
  },
  down: {
    sqlite: ['DROP INDEX files_by_content'],
    mariadb: ['ALTER TABLE files DROP INDEX IF EXISTS files_by_content'],
  },
}
