import { byDeleted } from './count-triggers.ts'
import type { Migration } from './migration.ts'

/** Counts added rows. */
export const countAdded: Migration = {
  name: '0029-count-added',
  up: { sqlite: [byDeleted.onInsert.sqlite], mariadb: [byDeleted.onInsert.mariadb] },
  down: { sqlite: ['DROP TRIGGER files_count_insert'], mariadb: ['DROP TRIGGER IF EXISTS files_count_insert'] },
}
