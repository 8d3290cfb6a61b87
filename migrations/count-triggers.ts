/** The SQL of the triggers that keep folder_counts and type_counts in step with the live rows of files. */

/** The row that a trigger adds to or subtracts from the counts: `new` or `old`. */
type CountedRow = 'new' | 'old'

/** A further condition, besides not deleted, for a row to count in type_counts; folder_counts has no further one. */
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
 * The columns on which the counts depend; an update of other columns changes no count. trash_root_id is not among them:
 * for items trashed or restored with a folder, one statement adjusts the counts of all (src/files/trash.ts).
 */
const countedColumns = ['space_id', 'parent_id', 'deleted_at', 'mime_type', 'size']

// A deleted folder has no live items, so its counts can go.
const dropFolder = 'DELETE FROM folder_counts WHERE space_id = old.space_id AND folder_id = old.id;'

/** The triggers on insert, delete and update; on MariaDB each replaces the previous one of its name. */
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

/** Depends on deleted_at alone, which all trashed rows had before migration 0035. */
export const byDeleted = triggersOf(() => '1 = 1')

/** A row trashed with its folder has no deleted_at: type_counts leaves it out, but it counts in its hidden folder. */
const byTrashRoot = triggersOf(row => `${row}.trash_root_id IS NULL`)

/** The statements that replace the first kind of trigger by the second, and back. */
export function replaceTrigger(trigger: keyof typeof byDeleted) {
  const replacement = ({ [trigger]: made }: typeof byDeleted) => ({
    sqlite: [`DROP TRIGGER ${made.sqlite.split(' ')[2]}`, made.sqlite],
    mariadb: [made.mariadb],
  })
  return { up: replacement(byTrashRoot), down: replacement(byDeleted) }
}
