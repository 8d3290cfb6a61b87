import type { Migration } from './migration.ts'

/** Indexes for the filters of the audit log, each in the order of its pages. */
export const eventLists: Migration = {
  name: '0024-event-lists',
  up: {
    sqlite: ['CREATE INDEX events_at ON events (at)', 'CREATE INDEX events_actor ON events (actor_name, at)'],
    mariadb: [
      'ALTER TABLE events ADD INDEX IF NOT EXISTS events_at (at), ADD INDEX IF NOT EXISTS events_actor (actor_name, at)',
    ],
  },
  down: {
    sqlite: ['DROP INDEX events_at', 'DROP INDEX events_actor'],
    mariadb: ['ALTER TABLE events DROP INDEX IF EXISTS events_at, DROP INDEX IF EXISTS events_actor'],
  },
}
