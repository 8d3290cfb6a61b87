import type { Migration } from './migration.ts'

/** SQLite's TEXT has no limit, MariaDB's holds 65,535 bytes. `down` fails if a detail is longer, rather than cut it. */
export const eventDetails: Migration = {
  name: '0040-event-details',
  up: { sqlite: [], mariadb: ['ALTER TABLE events MODIFY detail MEDIUMTEXT'] },
  down: { sqlite: [], mariadb: ['ALTER TABLE events MODIFY detail TEXT'] },
}
