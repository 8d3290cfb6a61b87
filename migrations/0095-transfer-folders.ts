import type { Migration } from './migration.ts'

/** The transfers that were begun before: of a disabled user a folder at the top that is another user's and has nothing of its own. */
const mark = `UPDATE spaces SET transfer_folder_id = (
  SELECT f.id FROM files f
  WHERE f.space_id = spaces.id AND f.live_parent = 0 AND f.is_directory = 1 AND f.owner_id <> spaces.owner_id
    AND NOT EXISTS (SELECT 1 FROM files c WHERE c.parent_id = f.id AND c.space_id = f.space_id)
  ORDER BY EXISTS (SELECT 1 FROM files c WHERE c.parent_id = f.id) DESC, f.id LIMIT 1)
WHERE kind = 'personal' AND owner_id IN (SELECT id FROM users WHERE is_active = 0)`

/** The folder in which the items of a space that is being transferred arrive; null: it is not. */
export const transferFolders: Migration = {
  name: '0095-transfer-folders',
  rolling: true,
  up: {
    sqlite: ['ALTER TABLE spaces ADD COLUMN transfer_folder_id INTEGER', mark],
    mariadb: ['ALTER TABLE spaces ADD COLUMN IF NOT EXISTS transfer_folder_id BIGINT', mark],
  },
  down: {
    sqlite: ['ALTER TABLE spaces DROP COLUMN transfer_folder_id'],
    mariadb: ['ALTER TABLE spaces DROP COLUMN IF EXISTS transfer_folder_id'],
  },
}
