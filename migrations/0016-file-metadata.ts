import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** `value_folded` is fold(value), for search. */
export const fileMetadata: Migration = {
  name: '0016-file-metadata',
  up: {
    sqlite: [
      `CREATE TABLE file_metadata (
        file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
        field_id INTEGER NOT NULL REFERENCES metadata_fields (id) ON DELETE CASCADE,
        value TEXT NOT NULL,
        value_folded TEXT NOT NULL,
        PRIMARY KEY (file_id, field_id)
      ) WITHOUT ROWID`,
      'CREATE INDEX file_metadata_field ON file_metadata (field_id)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS file_metadata (
        file_id BIGINT NOT NULL,
        field_id BIGINT NOT NULL,
        value TEXT NOT NULL,
        value_folded MEDIUMTEXT NOT NULL,
        PRIMARY KEY (file_id, field_id),
        INDEX file_metadata_field (field_id),
        FOREIGN KEY (file_id) REFERENCES files (id) ON DELETE CASCADE,
        FOREIGN KEY (field_id) REFERENCES metadata_fields (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('file_metadata'),
}
