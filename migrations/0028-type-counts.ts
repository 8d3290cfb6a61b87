import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** Live items and their bytes by type, with '' for folders, maintained by triggers: see count-triggers.ts. */
export const typeCounts: Migration = {
  name: '0028-type-counts',
  up: {
    sqlite: [
      `CREATE TABLE type_counts (
        space_id INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
        is_directory INTEGER NOT NULL,
        mime_type TEXT NOT NULL,
        items INTEGER NOT NULL,
        bytes INTEGER NOT NULL,
        PRIMARY KEY (space_id, is_directory, mime_type)
      ) WITHOUT ROWID`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS type_counts (
        space_id BIGINT NOT NULL,
        is_directory TINYINT NOT NULL,
        mime_type VARCHAR(255) NOT NULL,
        items BIGINT NOT NULL,
        bytes BIGINT NOT NULL,
        PRIMARY KEY (space_id, is_directory, mime_type),
        FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('type_counts'),
}
