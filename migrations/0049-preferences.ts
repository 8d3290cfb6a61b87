import type { Migration } from './migration.ts'

/** How a user likes to see files, as JSON (src/api/preferences.ts). Null until the user changes something. */
export const preferences: Migration = {
  name: '0049-preferences',
  up: {
    sqlite: ['ALTER TABLE users ADD COLUMN preferences TEXT'],
    mariadb: ['ALTER TABLE users ADD COLUMN IF NOT EXISTS preferences TEXT'],
  },
  down: {
    sqlite: ['ALTER TABLE users DROP COLUMN preferences'],
    mariadb: ['ALTER TABLE users DROP COLUMN IF EXISTS preferences'],
  },
}
