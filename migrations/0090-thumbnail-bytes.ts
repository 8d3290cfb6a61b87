import type { Migration } from './migration.ts'

/**
 * Bytes of a thumbnail that is not in the store; it keeps a key, which no bytes in the store have. A server of the release
 * before finds none there, and draws it anew.
 */
export const thumbnailBytes: Migration = {
  name: '0090-thumbnail-bytes',
  rolling: true,
  up: {
    sqlite: ['ALTER TABLE space_thumbnails ADD COLUMN bytes BLOB'],
    mariadb: ['ALTER TABLE space_thumbnails ADD COLUMN IF NOT EXISTS bytes BLOB'],
  },
  down: {
    sqlite: ['DELETE FROM space_thumbnails WHERE bytes IS NOT NULL', 'ALTER TABLE space_thumbnails DROP COLUMN bytes'],
    // Those without bytes are drawn anew.
    mariadb: ['ALTER TABLE space_thumbnails DROP COLUMN IF EXISTS bytes'],
  },
}
