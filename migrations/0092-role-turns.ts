import type { Migration } from './migration.ts'

/** The column that a write changes to lock all rights, in the row of the admin role, on a Galera cluster (src/db/lock-row.ts). */
export const roleTurns: Migration = {
  name: '0092-role-turns',
  rolling: true,
  up: {
    sqlite: ['ALTER TABLE roles ADD COLUMN lock_turn INTEGER NOT NULL DEFAULT 0'],
    mariadb: ['ALTER TABLE roles ADD COLUMN IF NOT EXISTS lock_turn BIGINT NOT NULL DEFAULT 0'],
  },
  down: {
    sqlite: ['ALTER TABLE roles DROP COLUMN lock_turn'],
    mariadb: ['ALTER TABLE roles DROP COLUMN IF EXISTS lock_turn'],
  },
}
