import type { Migration } from './migration.ts'

/**
 * The folder in which the items of a space that is being transferred arrive; null: it is not. A transfer that was begun
 * before goes on in a new one, and the first folder is an item like others.
 */
export const transferFolders: Migration = {
  name: '0095-transfer-folders',
  rolling: true,
  up: {
    sqlite: ['ALTER TABLE spaces ADD COLUMN transfer_folder_id INTEGER'],
    mariadb: ['ALTER TABLE spaces ADD COLUMN IF NOT EXISTS transfer_folder_id BIGINT'],
  },
  down: {
    sqlite: ['ALTER TABLE spaces DROP COLUMN transfer_folder_id'],
    mariadb: ['ALTER TABLE spaces DROP COLUMN IF EXISTS transfer_folder_id'],
  },
}
