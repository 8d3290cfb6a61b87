import type { Migration } from './migration.ts'

/**
 * The file for which a thumbnail was drawn; null: not known. Somebody who may open neither that file nor the whole space
 * gets a new one, since the response time would otherwise reveal that the space has the same image elsewhere.
 */
export const thumbnailOrigins: Migration = {
  name: '0098-thumbnail-origins',
  rolling: true,
  up: {
    sqlite: ['ALTER TABLE space_thumbnails ADD COLUMN drawn_for INTEGER'],
    mariadb: ['ALTER TABLE space_thumbnails ADD COLUMN IF NOT EXISTS drawn_for BIGINT'],
  },
  down: {
    sqlite: ['ALTER TABLE space_thumbnails DROP COLUMN drawn_for'],
    mariadb: ['ALTER TABLE space_thumbnails DROP COLUMN IF EXISTS drawn_for'],
  },
}
