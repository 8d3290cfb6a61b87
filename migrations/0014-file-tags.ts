import { dropTable, type Migration, mariadbTable } from './migration.ts'

export const fileTags: Migration = {
  name: '0014-file-tags',
  up: {
    sqlite: [
      `CREATE TABLE file_tags (
        tag_id INTEGER NOT NULL REFERENCES tags (id) ON DELETE CASCADE,
        file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
        PRIMARY KEY (tag_id, file_id)
      ) WITHOUT ROWID`,
      'CREATE INDEX file_tags_file ON file_tags (file_id)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS file_tags (
        tag_id BIGINT NOT NULL,
        file_id BIGINT NOT NULL,
        PRIMARY KEY (tag_id, file_id),
        INDEX file_tags_file (file_id),
        FOREIGN KEY (tag_id) REFERENCES tags (id) ON DELETE CASCADE,
        FOREIGN KEY (file_id) REFERENCES files (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('file_tags'),
}
