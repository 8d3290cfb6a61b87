import type { Migration } from './migration.ts'

/**
 * The number of times that a link's visits have ended, by a pause or a new password; null: never. Only visits of the
 * current round count.
 */
export const linkVisitRounds: Migration = {
  name: '0096-link-visit-rounds',
  rolling: true,
  up: {
    sqlite: ['ALTER TABLE links ADD COLUMN visit_round INTEGER'],
    mariadb: ['ALTER TABLE links ADD COLUMN IF NOT EXISTS visit_round BIGINT'],
  },
  down: {
    sqlite: ['ALTER TABLE links DROP COLUMN visit_round'],
    mariadb: ['ALTER TABLE links DROP COLUMN IF EXISTS visit_round'],
  },
}
