import type { Migration } from './migration.ts'

/** A personal space is as old as its user. */
const fillCreatedAt = `UPDATE spaces SET created_at = (SELECT u.created_at FROM users u WHERE u.id = spaces.owner_id)
  WHERE created_at = 0 AND EXISTS (SELECT 1 FROM users u WHERE u.id = spaces.owner_id)`

/** What a team folder needs of its space: since when it is there, and whether its editors may make links. */
export const teamSpaces: Migration = {
  name: '0061-team-spaces',
  up: {
    sqlite: [
      'ALTER TABLE spaces ADD COLUMN editors_may_link INTEGER NOT NULL DEFAULT 0',
      'ALTER TABLE spaces ADD COLUMN created_at INTEGER NOT NULL DEFAULT 0',
      fillCreatedAt,
    ],
    mariadb: [
      `ALTER TABLE spaces ADD COLUMN IF NOT EXISTS editors_may_link TINYINT NOT NULL DEFAULT 0,
        ADD COLUMN IF NOT EXISTS created_at BIGINT NOT NULL DEFAULT 0`,
      fillCreatedAt,
    ],
  },
  down: {
    sqlite: ['ALTER TABLE spaces DROP COLUMN created_at', 'ALTER TABLE spaces DROP COLUMN editors_may_link'],
    mariadb: ['ALTER TABLE spaces DROP COLUMN IF EXISTS created_at, DROP COLUMN IF EXISTS editors_may_link'],
  },
}
