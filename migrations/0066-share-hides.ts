import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** The shares that a user has hidden from the own list; a share with a group stays for the others. */
export const shareHides: Migration = {
  name: '0066-share-hides',
  up: {
    sqlite: [
      `CREATE TABLE share_hides (
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        share_id INTEGER NOT NULL REFERENCES shares (id) ON DELETE CASCADE,
        PRIMARY KEY (user_id, share_id)
      ) WITHOUT ROWID`,
      'CREATE INDEX share_hides_share ON share_hides (share_id)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS share_hides (
        user_id BIGINT NOT NULL,
        share_id BIGINT NOT NULL,
        PRIMARY KEY (user_id, share_id),
        INDEX share_hides_share (share_id),
        FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        FOREIGN KEY (share_id) REFERENCES shares (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('share_hides'),
}
