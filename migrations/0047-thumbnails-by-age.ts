import type { Migration } from './migration.ts'

/** What a space's thumbnails take is summed from the index alone, and its oldest are the index's first. */
export const thumbnailsByAge: Migration = {
  name: '0047-thumbnails-by-age',
  up: {
    sqlite: [
      'DROP INDEX space_thumbnails_space',
      'CREATE INDEX space_thumbnails_age ON space_thumbnails (space_id, id, size)',
    ],
    mariadb: [
      `ALTER TABLE space_thumbnails
        ADD INDEX IF NOT EXISTS space_thumbnails_age (space_id, id, size),
        DROP INDEX IF EXISTS space_thumbnails_space`,
    ],
  },
  down: {
    sqlite: ['DROP INDEX space_thumbnails_age', 'CREATE INDEX space_thumbnails_space ON space_thumbnails (space_id)'],
    mariadb: [
      `ALTER TABLE space_thumbnails
        ADD INDEX IF NOT EXISTS space_thumbnails_space (space_id),
        DROP INDEX IF EXISTS space_thumbnails_age`,
    ],
  },
}
