import type { Migration } from './migration.ts'

/** The round of its link in which a visit began; null: before the first end. The index finds a link's oldest visits. */
export const visitRounds: Migration = {
  name: '0097-visit-rounds',
  rolling: true,
  up: {
    sqlite: [
      'ALTER TABLE link_visits ADD COLUMN round INTEGER',
      'CREATE INDEX link_visits_age ON link_visits (link_id, expires_at)',
    ],
    mariadb: [
      `ALTER TABLE link_visits ADD COLUMN IF NOT EXISTS round BIGINT,
        ADD INDEX IF NOT EXISTS link_visits_age (link_id, expires_at)`,
    ],
  },
  down: {
    // Without the column, those of earlier rounds would count again.
    sqlite: ['DELETE FROM link_visits', 'DROP INDEX link_visits_age', 'ALTER TABLE link_visits DROP COLUMN round'],
    mariadb: [
      'DELETE FROM link_visits',
      'ALTER TABLE link_visits DROP INDEX IF EXISTS link_visits_age, DROP COLUMN IF EXISTS round',
    ],
  },
}
