import { byDeleted } from './count-triggers.ts'
import type { Migration } from './migration.ts'

/** Counts deleted rows. */
export const countDeleted: Migration = {
  name: '0030-count-deleted',
  up: { sqlite: [byDeleted.onDelete.sqlite], mariadb: [byDeleted.onDelete.mariadb] },
  down: { sqlite: ['DROP TRIGGER files_count_delete'], mariadb: ['DROP TRIGGER IF EXISTS files_count_delete'] },
}
