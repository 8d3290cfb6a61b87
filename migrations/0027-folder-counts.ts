import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** Numbers of live folders and files in each folder (0: the root), maintained by triggers: see count-triggers.ts. */
export const folderCounts: Migration = {
  name: '0027-folder-counts',
  up: {
    sqlite: [
      `CREATE TABLE folder_counts (
        space_id INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
        folder_id INTEGER NOT NULL,
        is_directory INTEGER NOT NULL,
        items INTEGER NOT NULL,
        PRIMARY KEY (space_id, folder_id, is_directory)
      ) WITHOUT ROWID`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS folder_counts (
        space_id BIGINT NOT NULL,
        folder_id BIGINT NOT NULL,
        is_directory TINYINT NOT NULL,
        items BIGINT NOT NULL,
        PRIMARY KEY (space_id, folder_id, is_directory),
        FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('folder_counts'),
}
