import type { Migration } from './migration.ts'

const sqlite = (columns: string, condition: string) => [
  'DROP INDEX files_favorites',
  `CREATE INDEX files_favorites ON files (${columns}) WHERE is_favorite = 1 AND deleted_at IS NULL${condition}`,
]

const mariadb = (columns: string) => [
  'ALTER TABLE files DROP INDEX IF EXISTS files_favorites',
  `ALTER TABLE files ADD INDEX IF NOT EXISTS files_favorites (${columns})`,
]

const before = 'space_id, is_favorite, deleted_at'
const byName = `${before}, is_directory, sort_key`

/**
 * The favourites are read in pages, folders first and then by name. On SQLite those that are in the trash with their
 * folder have no entry; on MariaDB, where an index holds every row, each item that goes to the trash would change it.
 */
export const favoritesByName: Migration = {
  name: '0048-favorites-by-name',
  up: { sqlite: sqlite(byName, ' AND trash_root_id IS NULL'), mariadb: mariadb(byName) },
  down: { sqlite: sqlite(before, ''), mariadb: mariadb(before) },
}
