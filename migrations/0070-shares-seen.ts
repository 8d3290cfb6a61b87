import type { Migration } from './migration.ts'

/** When a user last looked at what is shared with them; NULL is never. Later shares are new. */
export const sharesSeen: Migration = {
  name: '0070-shares-seen',
  up: {
    sqlite: ['ALTER TABLE users ADD COLUMN shares_seen_at INTEGER'],
    mariadb: ['ALTER TABLE users ADD COLUMN IF NOT EXISTS shares_seen_at BIGINT'],
  },
  down: {
    sqlite: ['ALTER TABLE users DROP COLUMN shares_seen_at'],
    mariadb: ['ALTER TABLE users DROP COLUMN IF EXISTS shares_seen_at'],
  },
}
