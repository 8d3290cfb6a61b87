import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** Favorites in others' places; files.is_favorite is the mark of a personal space's owner. */
export const favoritesOfOthers: Migration = {
  name: '0067-favorites-of-others',
  up: {
    sqlite: [
      `CREATE TABLE favorites (
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        file_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
        PRIMARY KEY (user_id, file_id)
      ) WITHOUT ROWID`,
      'CREATE INDEX favorites_file ON favorites (file_id)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS favorites (
        user_id BIGINT NOT NULL,
        file_id BIGINT NOT NULL,
        PRIMARY KEY (user_id, file_id),
        INDEX favorites_file (file_id),
        FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        FOREIGN KEY (file_id) REFERENCES files (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('favorites'),
}
