/** The statements of triggers that keep folder_counts and type_counts true to the live rows of files. */

/** A row of files that begins or ends to count: `new` or `old` in a trigger. */
type CountedRow = 'new' | 'old'

const folderKey = (row: CountedRow) => `${row}.space_id, COALESCE(${row}.parent_id, 0), ${row}.is_directory`
const typeKey = (row: CountedRow) => `${row}.space_id, ${row}.is_directory, COALESCE(${row}.mime_type, '')`

const folderColumns = 'space_id, folder_id, is_directory'
const typeColumns = 'space_id, is_directory, mime_type'

const subtract = (row: CountedRow): string => `
  UPDATE folder_counts SET items = items - 1
    WHERE space_id = ${row}.space_id AND folder_id = COALESCE(${row}.parent_id, 0)
      AND is_directory = ${row}.is_directory AND ${row}.deleted_at IS NULL;
  UPDATE type_counts SET items = items - 1, bytes = bytes - ${row}.size
    WHERE space_id = ${row}.space_id AND is_directory = ${row}.is_directory
      AND mime_type = COALESCE(${row}.mime_type, '') AND ${row}.deleted_at IS NULL;`

const addOnSqlite = (row: CountedRow): string => `
  INSERT INTO folder_counts (${folderColumns}, items) SELECT ${folderKey(row)}, 1 WHERE ${row}.deleted_at IS NULL
    ON CONFLICT (${folderColumns}) DO UPDATE SET items = items + 1;
  INSERT INTO type_counts (${typeColumns}, items, bytes)
    SELECT ${typeKey(row)}, 1, ${row}.size WHERE ${row}.deleted_at IS NULL
    ON CONFLICT (${typeColumns}) DO UPDATE SET items = items + 1, bytes = bytes + excluded.bytes;`

const addOnMariadb = (row: CountedRow): string => `
  IF ${row}.deleted_at IS NULL THEN
    INSERT INTO folder_counts (${folderColumns}, items) VALUES (${folderKey(row)}, 1)
      ON DUPLICATE KEY UPDATE items = items + 1;
    INSERT INTO type_counts (${typeColumns}, items, bytes) VALUES (${typeKey(row)}, 1, ${row}.size)
      ON DUPLICATE KEY UPDATE items = items + 1, bytes = bytes + ${row}.size;
  END IF;`

/** What is counted by: an update of anything else changes no count. */
const countedColumns = ['space_id', 'parent_id', 'deleted_at', 'mime_type', 'size']

export const onInsert = {
  sqlite: `CREATE TRIGGER files_count_insert AFTER INSERT ON files BEGIN ${addOnSqlite('new')} END`,
  mariadb: `CREATE OR REPLACE TRIGGER files_count_insert AFTER INSERT ON files FOR EACH ROW
    BEGIN ${addOnMariadb('new')} END`,
}

// A folder that goes leaves nothing live in it.
const dropFolder = 'DELETE FROM folder_counts WHERE space_id = old.space_id AND folder_id = old.id;'

export const onDelete = {
  sqlite: `CREATE TRIGGER files_count_delete AFTER DELETE ON files BEGIN ${subtract('old')} ${dropFolder} END`,
  mariadb: `CREATE OR REPLACE TRIGGER files_count_delete AFTER DELETE ON files FOR EACH ROW BEGIN
      IF old.deleted_at IS NULL THEN ${subtract('old')} END IF;
      IF old.is_directory = 1 THEN ${dropFolder} END IF;
    END`,
}

export const onUpdate = {
  sqlite: `CREATE TRIGGER files_count_update AFTER UPDATE OF ${countedColumns.join(', ')} ON files
    WHEN ${countedColumns.map(column => `old.${column} IS NOT new.${column}`).join(' OR ')}
    BEGIN ${subtract('old')} ${addOnSqlite('new')} END`,
  mariadb: `CREATE OR REPLACE TRIGGER files_count_update AFTER UPDATE ON files FOR EACH ROW
    IF ${countedColumns.map(column => `NOT (old.${column} <=> new.${column})`).join(' OR ')} THEN
      IF old.deleted_at IS NULL THEN ${subtract('old')} END IF; ${addOnMariadb('new')}
    END IF`,
}
