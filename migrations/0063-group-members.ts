import { dropTable, type Migration, mariadbTable } from './migration.ts'

export const groupMembers: Migration = {
  name: '0063-group-members',
  up: {
    sqlite: [
      `CREATE TABLE group_members (
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        group_id INTEGER NOT NULL REFERENCES user_groups (id) ON DELETE CASCADE,
        PRIMARY KEY (user_id, group_id)
      ) WITHOUT ROWID`,
      'CREATE INDEX group_members_group ON group_members (group_id)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS group_members (
        user_id BIGINT NOT NULL,
        group_id BIGINT NOT NULL,
        PRIMARY KEY (user_id, group_id),
        INDEX group_members_group (group_id),
        FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        FOREIGN KEY (group_id) REFERENCES user_groups (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('group_members'),
}
