import type { Migration } from './migration.ts'

const favorites = (columns: string) => [
  'DROP INDEX files_favorites',
  `CREATE INDEX files_favorites ON files (${columns}) WHERE is_favorite = 1 AND deleted_at IS NULL`,
]

/**
 * The index matches one more queried column than files_sizes, so SQLite prefers it; files_sizes has the whole space.
 */
export const favoritesIndex: Migration = {
  name: '0037-favorites',
  up: { sqlite: favorites('space_id, is_favorite, deleted_at'), mariadb: [] },
  down: { sqlite: favorites('space_id, deleted_at'), mariadb: [] },
}
