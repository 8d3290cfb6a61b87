import type { Migration } from './migration.ts'

const rest = `key_id INTEGER,
        space_id INTEGER NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
        header TEXT,
        target TEXT NOT NULL,
        length INTEGER NOT NULL,
        received INTEGER NOT NULL DEFAULT 0,
        reserved INTEGER NOT NULL,
        blob_key TEXT UNIQUE,
        store_state TEXT,
        state TEXT NOT NULL,
        error TEXT,
        file_id INTEGER,
        holder TEXT,
        epoch INTEGER NOT NULL DEFAULT 0,
        held_until INTEGER NOT NULL DEFAULT 0,
        created_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL`

/** The columns that both forms of the table have. */
const kept = `id, user_id, ${[...rest.matchAll(/^\s*([a-z_]+) /gm)].map(([, name]) => name).join(', ')}`

/**
 * SQLite cannot make a column nullable, so the table is made anew, with all its rows. Its indexes come last, because
 * those of the old table have their names.
 */
const remake = (whose: string, ...after: readonly string[]): string[] => [
  'ALTER TABLE uploads RENAME TO uploads_before',
  `CREATE TABLE uploads (
        id TEXT PRIMARY KEY NOT NULL,
        ${[whose, rest, ...after].join(',\n        ')}
      )`,
  `INSERT INTO uploads (${kept}) SELECT ${kept} FROM uploads_before`,
  'DROP TABLE uploads_before',
  'CREATE INDEX uploads_user ON uploads (user_id)',
  'CREATE INDEX uploads_space ON uploads (space_id)',
  'CREATE INDEX uploads_expires_at ON uploads (expires_at)',
]

/** Visitors' uploads have no place in the older form. They go, and what they hold free with them. */
const dropOfLinks = [
  'DELETE FROM uploads WHERE user_id IS NULL',
  `UPDATE spaces SET storage_reserved =
     (SELECT COALESCE(SUM(u.reserved), 0) FROM uploads u WHERE u.space_id = spaces.id)`,
]

/**
 * Whose an upload is: a user's, or a link's in whose visitor's browser it began. `visit_hash` is that of the browser's
 * visit, and `network` that of its address, of which the unfinished uploads are counted.
 */
export const uploadsOfLinks: Migration = {
  name: '0089-uploads-of-links',
  up: {
    sqlite: [
      ...remake(
        `user_id INTEGER REFERENCES users (id) ON DELETE CASCADE,
        link_id INTEGER REFERENCES links (id) ON DELETE CASCADE,
        visit_hash TEXT,
        network TEXT`,
        'CHECK ((user_id IS NULL) <> (link_id IS NULL))',
      ),
      'CREATE INDEX uploads_link ON uploads (link_id)',
      'CREATE INDEX uploads_network ON uploads (network)',
    ],
    mariadb: [
      `ALTER TABLE uploads MODIFY COLUMN user_id BIGINT,
        ADD COLUMN IF NOT EXISTS link_id BIGINT AFTER user_id,
        ADD COLUMN IF NOT EXISTS visit_hash CHAR(64) AFTER link_id,
        ADD COLUMN IF NOT EXISTS network VARCHAR(64) AFTER visit_hash,
        ADD INDEX IF NOT EXISTS uploads_link (link_id), ADD INDEX IF NOT EXISTS uploads_network (network),
        ADD CONSTRAINT FOREIGN KEY IF NOT EXISTS uploads_of_link (link_id) REFERENCES links (id) ON DELETE CASCADE,
        ADD CONSTRAINT IF NOT EXISTS uploads_whose CHECK ((user_id IS NULL) <> (link_id IS NULL))`,
    ],
  },
  down: {
    sqlite: [...dropOfLinks, ...remake('user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE')],
    mariadb: [
      ...dropOfLinks,
      `ALTER TABLE uploads DROP CONSTRAINT IF EXISTS uploads_whose, DROP FOREIGN KEY IF EXISTS uploads_of_link,
        DROP INDEX IF EXISTS uploads_link, DROP INDEX IF EXISTS uploads_network,
        DROP COLUMN IF EXISTS link_id, DROP COLUMN IF EXISTS visit_hash, DROP COLUMN IF EXISTS network,
        MODIFY COLUMN user_id BIGINT NOT NULL`,
    ],
  },
}
