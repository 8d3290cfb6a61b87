import { dropTable, type Migration, mariadbTable } from './migration.ts'

/** Uploads that come in several requests, until they are files. */
export const uploads: Migration = {
  name: '0085-uploads',
  up: {
    sqlite: [
      `CREATE TABLE uploads (
        id TEXT PRIMARY KEY NOT NULL,
        user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
        key_id INTEGER,
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
        expires_at INTEGER NOT NULL
      )`,
      'CREATE INDEX uploads_user ON uploads (user_id)',
      'CREATE INDEX uploads_space ON uploads (space_id)',
      'CREATE INDEX uploads_expires_at ON uploads (expires_at)',
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS uploads (
        id CHAR(32) PRIMARY KEY,
        user_id BIGINT NOT NULL,
        key_id BIGINT,
        space_id BIGINT NOT NULL,
        header TEXT,
        target MEDIUMTEXT NOT NULL,
        length BIGINT NOT NULL,
        received BIGINT NOT NULL DEFAULT 0,
        reserved BIGINT NOT NULL,
        blob_key CHAR(64),
        store_state MEDIUMTEXT,
        state VARCHAR(16) NOT NULL,
        error TEXT,
        file_id BIGINT,
        holder VARCHAR(64),
        epoch BIGINT NOT NULL DEFAULT 0,
        held_until BIGINT NOT NULL DEFAULT 0,
        created_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL,
        UNIQUE INDEX uploads_blob_key (blob_key),
        INDEX uploads_user (user_id),
        INDEX uploads_space (space_id),
        INDEX uploads_expires_at (expires_at),
        FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE,
        FOREIGN KEY (space_id) REFERENCES spaces (id) ON DELETE CASCADE
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('uploads'),
}
