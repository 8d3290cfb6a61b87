import type { Migration } from './migration.ts'

/**
 * The folder that a key is for, and its space. They are no foreign keys: a key whose folder is deleted must reach
 * nothing, never everything.
 */
export const apiKeyScopes: Migration = {
  name: '0069-api-key-scopes',
  up: {
    sqlite: [
      'ALTER TABLE api_keys ADD COLUMN scope_space_id INTEGER',
      'ALTER TABLE api_keys ADD COLUMN scope_item_id INTEGER',
    ],
    mariadb: [
      `ALTER TABLE api_keys ADD COLUMN IF NOT EXISTS scope_space_id BIGINT,
        ADD COLUMN IF NOT EXISTS scope_item_id BIGINT`,
    ],
  },
  down: {
    sqlite: ['ALTER TABLE api_keys DROP COLUMN scope_item_id', 'ALTER TABLE api_keys DROP COLUMN scope_space_id'],
    mariadb: ['ALTER TABLE api_keys DROP COLUMN IF EXISTS scope_item_id, DROP COLUMN IF EXISTS scope_space_id'],
  },
}
