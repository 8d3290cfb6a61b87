import type { Migration } from './migration.ts'

/** Since when a member is in a group: what happened before is not for them. 0: they joined before this was noted. */
export const memberTimes: Migration = {
  name: '0094-member-times',
  rolling: true,
  up: {
    sqlite: ['ALTER TABLE group_members ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0'],
    mariadb: ['ALTER TABLE group_members ADD COLUMN IF NOT EXISTS created_at BIGINT NOT NULL DEFAULT 0'],
  },
  down: {
    sqlite: ['ALTER TABLE group_members DROP COLUMN created_at'],
    mariadb: ['ALTER TABLE group_members DROP COLUMN IF EXISTS created_at'],
  },
}
