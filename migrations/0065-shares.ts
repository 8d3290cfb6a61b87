import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** What an item and all below it grants to a user or a group. Nothing else gives access to another's item. */
export const shares: Migration = {
  name: '0065-shares',
  up: {
    sqlite: [
      `CREATE TABLE shares (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        space_id INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
        item_id INTEGER NOT NULL REFERENCES files (id) ON DELETE CASCADE,
        user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
        group_id INTEGER REFERENCES user_groups (id) ON DELETE CASCADE,
        level TEXT NOT NULL,
        created_by INTEGER REFERENCES users (id) ON DELETE SET NULL,
        created_at INTEGER NOT NULL,
        expires_at INTEGER,
        CHECK ((user_id IS NULL) <> (group_id IS NULL))
      )`,
      'CREATE UNIQUE INDEX shares_item_user ON shares (item_id, user_id)',
      'CREATE UNIQUE INDEX shares_item_group ON shares (item_id, group_id)',
      'CREATE INDEX shares_user ON shares (user_id)',
      'CREATE INDEX shares_group ON shares (group_id)',
      'CREATE INDEX shares_space ON shares (space_id)',
      'CREATE INDEX shares_created_by ON shares (created_by)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS shares (
        id BIGINT PRIMARY KEY AUTO_INCREMENT,
        space_id BIGINT NOT NULL,
        item_id BIGINT NOT NULL,
        user_id BIGINT,
        group_id BIGINT,
        level VARCHAR(16) NOT NULL,
        created_by BIGINT,
        created_at BIGINT NOT NULL,
        expires_at BIGINT,
        UNIQUE INDEX shares_item_user (item_id, user_id),
        UNIQUE INDEX shares_item_group (item_id, group_id),
        INDEX shares_user (user_id),
        INDEX shares_group (group_id),
        INDEX shares_space (space_id),
        INDEX shares_created_by (created_by),
        FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE,
        FOREIGN KEY (item_id) REFERENCES files (id) ON DELETE CASCADE,
        FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        FOREIGN KEY (group_id) REFERENCES user_groups (id) ON DELETE CASCADE,
        FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE SET NULL,
        CHECK ((user_id IS NULL) <> (group_id IS NULL))
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('shares'),
}
