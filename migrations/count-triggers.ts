/** The statements of triggers that keep folder_counts and type_counts true to the live rows of files. */

/** A row of files that begins or ends to count: `new` or `old` in a trigger. */
type CountedRow = 'new' | 'old'

/** What a row must be to count among its type, beside not deleted; a folder's counts have all that is not. */
type TypeCondition = (row: CountedRow) => string

const folderKey = (row: CountedRow) => `${row}.space_id, COALESCE(${row}.parent_id, 0), ${row}.is_directory`
const typeKey = (row: CountedRow) => `${row}.space_id, ${row}.is_directory, COALESCE(${row}.mime_type, '')`

const folderColumns = 'space_id, folder_id, is_directory'
const typeColumns = 'space_id, is_directory, mime_type'

const subtract = (row: CountedRow, isTyped: TypeCondition): string => `
  UPDATE folder_counts SET items = items - 1
    WHERE space_id = ${row}.space_id AND folder_id = COALESCE(${row}.parent_id, 0)
      AND is_directory = ${row}.is_directory AND ${row}.deleted_at IS NULL;
  UPDATE type_counts SET items = items - 1, bytes = bytes - ${row}.size
    WHERE space_id = ${row}.space_id AND is_directory = ${row}.is_directory
      AND mime_type = COALESCE(${row}.mime_type, '') AND ${row}.deleted_at IS NULL AND ${isTyped(row)};`

const addOnSqlite = (row: CountedRow, isTyped: TypeCondition): string => `
  INSERT INTO folder_counts (${folderColumns}, items) SELECT ${folderKey(row)}, 1 WHERE ${row}.deleted_at IS NULL
    ON CONFLICT (${folderColumns}) DO UPDATE SET items = items + 1;
  INSERT INTO type_counts (${typeColumns}, items, bytes)
    SELECT ${typeKey(row)}, 1, ${row}.size WHERE ${row}.deleted_at IS NULL AND ${isTyped(row)}
    ON CONFLICT (${typeColumns}) DO UPDATE SET items = items + 1, bytes = bytes + excluded.bytes;`

const addOnMariadb = (row: CountedRow, isTyped: TypeCondition): string => `
  IF ${row}.deleted_at IS NULL THEN
    INSERT INTO folder_counts (${folderColumns}, items) VALUES (${folderKey(row)}, 1)
      ON DUPLICATE KEY UPDATE items = items + 1;
  END IF;
  IF ${row}.deleted_at IS NULL AND ${isTyped(row)} THEN
    INSERT INTO type_counts (${typeColumns}, items, bytes) VALUES (${typeKey(row)}, 1, ${row}.size)
      ON DUPLICATE KEY UPDATE items = items + 1, bytes = bytes + ${row}.size;
  END IF;`

/**
 * What is counted by: an update of anything else changes no count. Of trash_root_id alone neither: what goes along with
 * a folder is taken from the counts, and given back, by one statement for all of it (src/files/trash.ts).
 */
const countedColumns = ['space_id', 'parent_id', 'deleted_at', 'mime_type', 'size']

// A folder that goes leaves nothing live in it.
const dropFolder = 'DELETE FROM folder_counts WHERE space_id = old.space_id AND folder_id = old.id;'

/** The triggers on insert, delete and update; on MariaDB each takes the place of the one before. */
const triggersOf = (isTyped: TypeCondition) => ({
  onInsert: {
    sqlite: `CREATE TRIGGER files_count_insert AFTER INSERT ON files BEGIN ${addOnSqlite('new', isTyped)} END`,
    mariadb: `CREATE OR REPLACE TRIGGER files_count_insert AFTER INSERT ON files FOR EACH ROW
      BEGIN ${addOnMariadb('new', isTyped)} END`,
  },
  onDelete: {
    sqlite: `CREATE TRIGGER files_count_delete AFTER DELETE ON files
      BEGIN ${subtract('old', isTyped)} ${dropFolder} END`,
    mariadb: `CREATE OR REPLACE TRIGGER files_count_delete AFTER DELETE ON files FOR EACH ROW BEGIN
        IF old.deleted_at IS NULL THEN ${subtract('old', isTyped)} END IF;
        IF old.is_directory = 1 THEN ${dropFolder} END IF;
      END`,
  },
  onUpdate: {
    sqlite: `CREATE TRIGGER files_count_update AFTER UPDATE OF ${countedColumns.join(', ')} ON files
      WHEN ${countedColumns.map(column => `old.${column} IS NOT new.${column}`).join(' OR ')}
      BEGIN ${subtract('old', isTyped)} ${addOnSqlite('new', isTyped)} END`,
    mariadb: `CREATE OR REPLACE TRIGGER files_count_update AFTER UPDATE ON files FOR EACH ROW
      IF ${countedColumns.map(column => `NOT (old.${column} <=> new.${column})`).join(' OR ')} THEN
        IF old.deleted_at IS NULL THEN ${subtract('old', isTyped)} END IF; ${addOnMariadb('new', isTyped)}
      END IF`,
  },
})

/** By deleted_at alone, which all in the trash had. */
export const byDeleted = triggersOf(() => '1 = 1')

/** What went along with its folder has no deleted_at of its own: it still counts in that folder, which nobody sees. */
const byTrashRoot = triggersOf(row => `${row}.trash_root_id IS NULL`)

/** The way from one trigger to the other, and back. */
export function replaceTrigger(trigger: keyof typeof byDeleted) {
  const replacement = ({ [trigger]: made }: typeof byDeleted) => ({
    sqlite: [`DROP TRIGGER ${made.sqlite.split(' ')[2]}`, made.sqlite],
    mariadb: [made.mariadb],
  })
  return { up: replacement(byTrashRoot), down: replacement(byDeleted) }
}
