import type { Migration } from './migration.ts'

/**
 * The skeleton of a username, equal for names that look alike (src/db/skeletons.ts). It is not unique, because existing
 * users may look alike. Their skeletons are filled in when the next user is made, because SQL cannot compute them.
 */
export const usernameSkeletons: Migration = {
  name: '0044-username-skeletons',
  up: {
    sqlite: [
      'ALTER TABLE users ADD COLUMN username_skeleton TEXT',
      'CREATE INDEX users_skeleton ON users (username_skeleton)',
    ],
    mariadb: [
      `ALTER TABLE users ADD COLUMN IF NOT EXISTS username_skeleton VARCHAR(255),
        ADD INDEX IF NOT EXISTS users_skeleton (username_skeleton)`,
    ],
  },
  down: {
    sqlite: ['DROP INDEX users_skeleton', 'ALTER TABLE users DROP COLUMN username_skeleton'],
    mariadb: ['ALTER TABLE users DROP INDEX IF EXISTS users_skeleton, DROP COLUMN IF EXISTS username_skeleton'],
  },
}
