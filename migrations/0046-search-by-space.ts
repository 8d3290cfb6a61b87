import { fileSearch } from './0025-file-search.ts'
import type { Migration } from './migration.ts'

/**
 * A name's trigrams as words, each prefixed with the id of its space: `7x696d67` is 'img' in space 7. The positions
 * come from a JSON array with one zero per trigram. A name that folds to more than 300 letters, as characters that
 * stand for whole phrases do, gets one word only, because SQLite counts from the start of the name to reach each
 * position. src/files/search/names.ts writes the same.
 */
const trigrams = (row: string) =>
  `CASE WHEN length(${row}.name_folded) > 300 THEN ${row}.space_id || 'x010101' ELSE (
  SELECT group_concat(${row}.space_id || 'x' || hex(substr(${row}.name_folded, place.key + 1, 3)), ' ')
  FROM json_each('[0' || replace(hex(zeroblob(length(${row}.name_folded) - 3)), '00', ',0') || ']') place
  WHERE place.key + 3 <= length(${row}.name_folded)) END`

const add = (row: string) => `INSERT INTO file_search (rowid, trigrams) VALUES (${row}.id, ${trigrams(row)})`

/**
 * SQLite's search index with the space in each word. When all spaces shared their trigrams, the duration of a search
 * revealed which trigrams occur in other users' names, and a trigram common in a million names of others slowed every
 * search. Positions within a name are not stored, because the name itself is checked; this halves the index.
 */
export const searchBySpace: Migration = {
  name: '0046-search-by-space',
  up: {
    sqlite: [
      ...fileSearch.down.sqlite,
      `CREATE VIRTUAL TABLE file_search USING fts5 (
        trigrams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii'
      )`,
      `INSERT INTO file_search (rowid, trigrams) SELECT f.id, ${trigrams('f')} FROM files f`,
      `CREATE TRIGGER files_search_insert AFTER INSERT ON files BEGIN ${add('new')}; END`,
      `CREATE TRIGGER files_search_delete AFTER DELETE ON files
        BEGIN DELETE FROM file_search WHERE rowid = old.id; END`,
      `CREATE TRIGGER files_search_update AFTER UPDATE OF name_folded, space_id ON files
        WHEN old.name_folded <> new.name_folded OR old.space_id <> new.space_id
        BEGIN DELETE FROM file_search WHERE rowid = old.id; ${add('new')}; END`,
    ],
    mariadb: [],
  },
  down: { sqlite: [...fileSearch.down.sqlite, ...fileSearch.up.sqlite], mariadb: [] },
}
