import type { Migration } from './migration.ts'

/** The order of a space's changes: the revision that each gave it. Earlier events and those of no space have none. */
export const eventRevisions: Migration = {
  name: '0084-event-revisions',
  up: {
    sqlite: [
      'ALTER TABLE events ADD COLUMN revision INTEGER',
      'CREATE INDEX events_revision ON events (space_id, revision) WHERE revision IS NOT NULL',
    ],
    mariadb: [
      `ALTER TABLE events ADD COLUMN IF NOT EXISTS revision BIGINT,
        ADD INDEX IF NOT EXISTS events_revision (space_id, revision)`,
    ],
  },
  down: {
    sqlite: ['DROP INDEX events_revision', 'ALTER TABLE events DROP COLUMN revision'],
    mariadb: ['ALTER TABLE events DROP INDEX IF EXISTS events_revision, DROP COLUMN IF EXISTS revision'],
  },
}
