import type { Migration } from './migration.ts'

/** The column that a write changes to lock a link while a visit begins, on a Galera cluster (src/db/lock-row.ts). */
export const linkTurns: Migration = {
  name: '0093-link-turns',
  rolling: true,
  up: {
    sqlite: ['ALTER TABLE links ADD COLUMN lock_turn INTEGER NOT NULL DEFAULT 0'],
    mariadb: ['ALTER TABLE links ADD COLUMN IF NOT EXISTS lock_turn BIGINT NOT NULL DEFAULT 0'],
  },
  down: {
    sqlite: ['ALTER TABLE links DROP COLUMN lock_turn'],
    mariadb: ['ALTER TABLE links DROP COLUMN IF EXISTS lock_turn'],
  },
}
