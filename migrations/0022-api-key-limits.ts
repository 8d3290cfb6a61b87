import type { Migration } from './migration.ts'

const columns = ['expires_at', 'rate_limit_per_minute', 'rate_limit_per_hour', 'rate_limit_per_day']

/** Expiry and request limits of keys. NULL means no expiry, or the default limit. */
export const apiKeyLimits: Migration = {
  name: '0022-api-key-limits',
  up: {
    sqlite: columns.map(column => `ALTER TABLE api_keys ADD COLUMN ${column} INTEGER`),
    mariadb: [`ALTER TABLE api_keys ${columns.map(column => `ADD COLUMN IF NOT EXISTS ${column} BIGINT`).join(', ')}`],
  },
  down: {
    sqlite: columns.map(column => `ALTER TABLE api_keys DROP COLUMN ${column}`),
    mariadb: [`ALTER TABLE api_keys ${columns.map(column => `DROP COLUMN IF EXISTS ${column}`).join(', ')}`],
  },
}
