import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** What a visitor's browser has unlocked: a link (item 0), or the bytes of one item after a counted download. */
export const linkVisits: Migration = {
  name: '0080-link-visits',
  up: {
    sqlite: [
      `CREATE TABLE link_visits (
        hash TEXT NOT NULL,
        item_id INTEGER NOT NULL,
        link_id INTEGER NOT NULL REFERENCES links (id) ON DELETE CASCADE,
        expires_at INTEGER NOT NULL,
        PRIMARY KEY (hash, item_id)
      )`,
      'CREATE INDEX link_visits_link ON link_visits (link_id)',
      'CREATE INDEX link_visits_expires_at ON link_visits (expires_at)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS link_visits (
        hash CHAR(64) NOT NULL,
        item_id BIGINT NOT NULL,
        link_id BIGINT NOT NULL,
        expires_at BIGINT NOT NULL,
        PRIMARY KEY (hash, item_id),
        INDEX link_visits_link (link_id),
        INDEX link_visits_expires_at (expires_at),
        FOREIGN KEY (link_id) REFERENCES links (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('link_visits'),
}
