import type { Migration } from './migration.ts'

/**
 * On SQLite the index of trash_root_id contains only rows of the trash. Trashing and restoring change half as much of
 * it, and SQLite no longer chooses it for queries on live rows, whose trash_root_id is NULL.
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
