/** Changes rows of an SQLite table without its indexes, as a disk does that changes a page or loses a write. */

/** Runs a statement on a table whose named indexes and triggers, all or those of some names, do not learn of it. */
export const unseen = (table: string, statement: string, names = '%'): string[] => [
  'PRAGMA writable_schema = ON',
  `CREATE TEMP TABLE hidden AS SELECT * FROM sqlite_schema
   WHERE type IN ('index', 'trigger') AND tbl_name = '${table}' AND name LIKE '${names}' AND sql IS NOT NULL`,
  'DELETE FROM sqlite_schema WHERE name IN (SELECT name FROM hidden)',
  'PRAGMA writable_schema = RESET',
  statement,
  'PRAGMA writable_schema = ON',
  'INSERT INTO sqlite_schema SELECT * FROM hidden',
  'PRAGMA writable_schema = RESET',
]

/** Runs a statement on a table of which no index learns, those of UNIQUE columns neither. */
export const unseenByAll = (table: string, statement: string): string[] => [
  'PRAGMA writable_schema = ON',
  `CREATE TEMP TABLE hidden AS SELECT * FROM sqlite_schema WHERE tbl_name = '${table}'`,
  `DELETE FROM sqlite_schema WHERE tbl_name = '${table}' AND type <> 'table'`,
  `UPDATE sqlite_schema SET sql = replace(replace(sql, 'UNIQUE (owner_id, name)', 'CHECK (1)'), 'UNIQUE', '')
   WHERE name = '${table}'`,
  'PRAGMA writable_schema = RESET',
  statement,
  'PRAGMA writable_schema = ON',
  `DELETE FROM sqlite_schema WHERE tbl_name = '${table}'`,
  'INSERT INTO sqlite_schema SELECT * FROM hidden',
  'PRAGMA writable_schema = RESET',
]
