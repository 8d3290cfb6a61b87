import type { Migration } from './migration.ts'

/** The newest events of an item with one action are the index's last, whatever else is noted under the same number. */
export const eventsByAction: Migration = {
  name: '0072-events-by-action',
  up: {
    sqlite: ['CREATE INDEX events_item_action ON events (item_id, action, at)', 'DROP INDEX events_item'],
    mariadb: [
      `ALTER TABLE events
        ADD INDEX IF NOT EXISTS events_item_action (item_id, action, at),
        DROP INDEX IF EXISTS events_item`,
    ],
  },
  down: {
    sqlite: ['CREATE INDEX events_item ON events (item_id)', 'DROP INDEX events_item_action'],
    mariadb: [
      `ALTER TABLE events
        ADD INDEX IF NOT EXISTS events_item (item_id),
        DROP INDEX IF EXISTS events_item_action`,
    ],
  },
}
