import type { Migration } from './migration.ts'

/** The script key that made a key; NULL if a user made it. */
export const apiKeyMakers: Migration = {
  name: '0041-api-key-makers',
  up: {
    sqlite: ['ALTER TABLE api_keys ADD COLUMN made_by INTEGER', 'CREATE INDEX api_keys_maker ON api_keys (made_by)'],
    mariadb: [
      `ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS made_by BIGINT,
       ADD INDEX IF NOT EXISTS api_keys_maker (made_by)`,
    ],
  },
  down: {
    sqlite: ['DROP INDEX api_keys_maker', 'ALTER TABLE api_keys DROP COLUMN made_by'],
    mariadb: ['ALTER TABLE api_keys DROP INDEX IF EXISTS api_keys_maker, DROP COLUMN IF EXISTS made_by'],
  },
}
