import type { Migration } from './migration.ts'

/** An index of the few spaces whose items are being transferred, which many requests ask for. */
export const spacesInTransfer: Migration = {
  name: '0100-spaces-in-transfer',
  rolling: true,
  up: {
    sqlite: ['CREATE INDEX spaces_in_transfer ON spaces (transfer_folder_id) WHERE transfer_folder_id IS NOT NULL'],
    mariadb: ['ALTER TABLE spaces ADD INDEX IF NOT EXISTS spaces_in_transfer (transfer_folder_id)'],
  },
  down: {
    sqlite: ['DROP INDEX spaces_in_transfer'],
    mariadb: ['ALTER TABLE spaces DROP INDEX IF EXISTS spaces_in_transfer'],
  },
}
