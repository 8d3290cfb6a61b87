import type { Migration } from './migration.ts'

/**
 * What a username looks like (src/db/skeletons.ts), to be found by. Not unique: users who were there before may look
 * like each other. Theirs is filled in when the next user is made, for no SQL can compute it.
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
