import type { Migration } from './migration.ts'

const pending = (columns: string) => [
  'DROP INDEX files_pending',
  `CREATE INDEX files_pending ON files (${columns}) WHERE validation_status = 'pending' AND deleted_at IS NULL`,
]

const mariadbPending = (columns: string) => [
  'ALTER TABLE files DROP INDEX IF EXISTS files_pending',
  `ALTER TABLE files ADD INDEX IF NOT EXISTS files_pending (validation_status, deleted_at, ${columns})`,
]

/** The queue is read in pages, each of which continues after an id. */
export const pendingById: Migration = {
  name: '0045-pending-by-id',
  up: { sqlite: pending('id'), mariadb: mariadbPending('id') },
  down: { sqlite: pending('created_at, id'), mariadb: mariadbPending('created_at') },
}
