import type { Migration } from './migration.ts'

/**
 * How a file came into another's place. `received_by`: NULL is the usual way, 0 a person's hand-in into a drop box, and
 * -1 says that its uploader is gone. `content_by`: who put the present content there; NULL is the owner. The partial
 * indexes find hand-ins and count what is held in a folder; nearly all files are neither.
 */
export const receivedFiles: Migration = {
  name: '0068-received-files',
  up: {
    sqlite: [
      'ALTER TABLE files ADD COLUMN received_by INTEGER',
      'ALTER TABLE files ADD COLUMN content_by INTEGER',
      'CREATE INDEX files_received ON files (live_parent, owner_id) WHERE received_by = 0',
      "CREATE INDEX files_held_in ON files (space_id, live_parent, owner_id) WHERE validation_status <> 'approved'",
    ],
    mariadb: [
      `ALTER TABLE files ADD COLUMN IF NOT EXISTS received_by BIGINT, ADD COLUMN IF NOT EXISTS content_by BIGINT,
        ADD INDEX IF NOT EXISTS files_received (received_by, live_parent, owner_id),
        ADD INDEX IF NOT EXISTS files_held_in (space_id, live_parent, validation_status)`,
    ],
  },
  down: {
    sqlite: [
      'DROP INDEX files_held_in',
      'DROP INDEX files_received',
      'ALTER TABLE files DROP COLUMN content_by',
      'ALTER TABLE files DROP COLUMN received_by',
    ],
    mariadb: [
      `ALTER TABLE files DROP INDEX IF EXISTS files_held_in, DROP INDEX IF EXISTS files_received,
        DROP COLUMN IF EXISTS content_by, DROP COLUMN IF EXISTS received_by`,
    ],
  },
}
