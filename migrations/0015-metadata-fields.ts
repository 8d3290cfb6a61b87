import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** `options` is the JSON list of a select field's choices. */
export const metadataFields: Migration = {
  name: '0015-metadata-fields',
  up: {
    sqlite: [
      `CREATE TABLE metadata_fields (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        name TEXT NOT NULL UNIQUE,
        label TEXT NOT NULL,
        description TEXT,
        field_type TEXT NOT NULL,
        options TEXT,
        is_required INTEGER NOT NULL,
        is_enabled INTEGER NOT NULL,
        created_at INTEGER NOT NULL
      )`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS metadata_fields (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        name VARCHAR(255) NOT NULL UNIQUE,
        label VARCHAR(255) NOT NULL,
        description TEXT,
        field_type VARCHAR(16) NOT NULL,
        options MEDIUMTEXT,
        is_required TINYINT NOT NULL,
        is_enabled TINYINT NOT NULL,
        created_at BIGINT NOT NULL
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('metadata_fields'),
}
