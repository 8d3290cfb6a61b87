import type { Migration } from './migration.ts'

/** SQLite's text has no most; MariaDB's TEXT holds 65,535 bytes. Going back, what is longer is refused and not cut. */
export const eventDetails: Migration = {
  name: '0040-event-details',
  up: { sqlite: [], mariadb: ['ALTER TABLE events MODIFY detail MEDIUMTEXT'] },
  down: { sqlite: [], mariadb: ['ALTER TABLE events MODIFY detail TEXT'] },
}
