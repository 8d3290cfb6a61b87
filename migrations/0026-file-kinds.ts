import type { Migration } from './migration.ts'

/** All that the statistics count, so that they read an index alone; search finds the files of a rare type by it. */
export const fileKinds: Migration = {
  name: '0026-file-kinds',
  up: {
    sqlite: ['CREATE INDEX files_kinds ON files (space_id, deleted_at, is_directory, mime_type, size)'],
    mariadb: [
      'ALTER TABLE files ADD INDEX IF NOT EXISTS files_kinds (space_id, deleted_at, is_directory, mime_type, size)',
    ],
  },
  down: {
    sqlite: ['DROP INDEX files_kinds'],
    mariadb: ['ALTER TABLE files DROP INDEX IF EXISTS files_kinds'],
  },
}
