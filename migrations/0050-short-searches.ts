import type { Migration } from './migration.ts'

/**
 * SQLite's trigrams cannot find a text of one or two letters. For those it reads the names in this index, the newest
 * item first, as MariaDB does for every text (0025): the rows themselves are ten times as large.
 */
export const shortSearches: Migration = {
  name: '0050-short-searches',
  up: { sqlite: ['CREATE INDEX files_names ON files (space_id, id, name_folded)'], mariadb: [] },
  down: { sqlite: ['DROP INDEX files_names'], mariadb: [] },
}
