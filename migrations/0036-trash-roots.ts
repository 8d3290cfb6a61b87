import type { Migration } from './migration.ts'

/**
 * On SQLite only the rows of the trash stand in the index that finds them: trashing and restoring change half as much of
 * it, and no search for what is live, which has none, takes it for the narrowest.
 */
export const trashRoots: Migration = {
  name: '0036-trash-roots',
  up: {
    sqlite: [
      'DROP INDEX files_trash_root',
      'CREATE INDEX files_trash_root ON files (trash_root_id) WHERE trash_root_id IS NOT NULL',
    ],
    mariadb: [],
  },
  down: {
    sqlite: ['DROP INDEX files_trash_root', 'CREATE INDEX files_trash_root ON files (trash_root_id)'],
    mariadb: [],
  },
}
