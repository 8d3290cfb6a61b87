import type { Migration } from './migration.ts'

/** Bytes of each space that unfinished uploads hold free. */
export const reservedStorage: Migration = {
  name: '0086-reserved-storage',
  up: {
    sqlite: ['ALTER TABLE spaces ADD COLUMN storage_reserved INTEGER NOT NULL DEFAULT 0'],
    mariadb: ['ALTER TABLE spaces ADD COLUMN IF NOT EXISTS storage_reserved BIGINT NOT NULL DEFAULT 0'],
  },
  down: {
    sqlite: ['ALTER TABLE spaces DROP COLUMN storage_reserved'],
    mariadb: ['ALTER TABLE spaces DROP COLUMN IF EXISTS storage_reserved'],
  },
}
