import type { Migration } from './migration.ts'

/** By which link something was done. */
export const eventsOfLinks: Migration = {
  name: '0083-events-of-links',
  up: {
    sqlite: [
      'ALTER TABLE events ADD COLUMN link_id INTEGER',
      'CREATE INDEX events_link ON events (link_id, at) WHERE link_id IS NOT NULL',
    ],
    mariadb: [
      'ALTER TABLE events ADD COLUMN IF NOT EXISTS link_id BIGINT, ADD INDEX IF NOT EXISTS events_link (link_id, at)',
    ],
  },
  down: {
    sqlite: ['DROP INDEX events_link', 'ALTER TABLE events DROP COLUMN link_id'],
    mariadb: ['ALTER TABLE events DROP INDEX IF EXISTS events_link, DROP COLUMN IF EXISTS link_id'],
  },
}
