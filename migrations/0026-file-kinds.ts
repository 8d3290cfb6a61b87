import type { Migration } from './migration.ts'

/** Indexes with which a search finds items of a rare type, size or status; see src/files/search/source.ts. */
export const fileKinds: Migration = {
  name: '0026-file-kinds',
  up: {
    sqlite: [
      'CREATE INDEX files_kinds ON files (space_id, deleted_at, is_directory, mime_type)',
      'CREATE INDEX files_sizes ON files (space_id, deleted_at, is_directory, size)',
      "CREATE INDEX files_held ON files (space_id, validation_status) WHERE validation_status <> 'approved'",
    ],
    mariadb: [
      `ALTER TABLE files
        ADD INDEX IF NOT EXISTS files_kinds (space_id, deleted_at, is_directory, mime_type),
        ADD INDEX IF NOT EXISTS files_sizes (space_id, deleted_at, is_directory, size),
        ADD INDEX IF NOT EXISTS files_held (space_id, validation_status)`,
    ],
  },
  down: {
    sqlite: ['DROP INDEX files_kinds', 'DROP INDEX files_sizes', 'DROP INDEX files_held'],
    mariadb: [
      `ALTER TABLE files DROP INDEX IF EXISTS files_kinds, DROP INDEX IF EXISTS files_sizes,
        DROP INDEX IF EXISTS files_held`,
    ],
  },
}
