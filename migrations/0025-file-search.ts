import type { Migration } from './migration.ts'

/**
 * A space's id as one trigram: three characters from U+10000 to U+1FFFF, with 16 bits of the id each. It lets the index
 * itself exclude the rows of other accounts. src/files/search/names.ts writes the same.
 */
const spaceToken = (row: string) =>
  `char(65536 + (${row}.space_id & 65535), 65536 + ((${row}.space_id >> 16) & 65535), 65536 + ((${row}.space_id >> 32) & 65535))`

const add = (row: string) => `INSERT INTO file_search (rowid, name_folded, space)
  VALUES (${row}.id, ${row}.name_folded, ${spaceToken(row)})`

/**
 * Search for substrings of names. On SQLite a trigram index, which stores no text and is maintained by triggers;
 * trashing does not change it. MariaDB has no such index, and cannot index text of this length as characters. Names are
 * therefore stored as bytes (255 of them fold into at most 2,805, see Unicode's table of expansion factors), so that a
 * search reads a narrow index instead of the rows.
 */
export const fileSearch: Migration = {
  name: '0025-file-search',
  up: {
    sqlite: [
      `CREATE VIRTUAL TABLE file_search USING fts5 (
        name_folded, space, content = '', contentless_delete = 1, tokenize = 'trigram case_sensitive 1'
      )`,
      `INSERT INTO file_search (rowid, name_folded, space) SELECT f.id, f.name_folded, ${spaceToken('f')} FROM files f`,
      `CREATE TRIGGER files_search_insert AFTER INSERT ON files BEGIN ${add('new')}; END`,
      `CREATE TRIGGER files_search_delete AFTER DELETE ON files
        BEGIN DELETE FROM file_search WHERE rowid = old.id; END`,
      `CREATE TRIGGER files_search_update AFTER UPDATE OF name_folded, space_id ON files
        WHEN old.name_folded <> new.name_folded OR old.space_id <> new.space_id
        BEGIN DELETE FROM file_search WHERE rowid = old.id; ${add('new')}; END`,
    ],
    mariadb: [
      `ALTER TABLE files MODIFY name_folded VARBINARY(2805) NOT NULL,
        ADD INDEX IF NOT EXISTS files_search (space_id, id, name_folded)`,
    ],
  },
  down: {
    sqlite: [
      'DROP TRIGGER files_search_insert',
      'DROP TRIGGER files_search_delete',
      'DROP TRIGGER files_search_update',
      'DROP TABLE file_search',
    ],
    mariadb: ['ALTER TABLE files DROP INDEX IF EXISTS files_search, MODIFY name_folded VARCHAR(2000) NOT NULL'],
  },
}
