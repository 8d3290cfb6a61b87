import type { Migration } from './migration.ts'

/** The column that a write changes to lock a space on a Galera cluster (src/db/lock-row.ts). */
export const spaceTurns: Migration = {
  name: '0091-space-turns',
  rolling: true,
  up: {
    sqlite: ['ALTER TABLE spaces ADD COLUMN lock_turn INTEGER NOT NULL DEFAULT 0'],
    mariadb: ['ALTER TABLE spaces ADD COLUMN IF NOT EXISTS lock_turn BIGINT NOT NULL DEFAULT 0'],
  },
  down: {
    sqlite: ['ALTER TABLE spaces DROP COLUMN lock_turn'],
    mariadb: ['ALTER TABLE spaces DROP COLUMN IF EXISTS lock_turn'],
  },
}
