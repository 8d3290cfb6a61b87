import { replaceTrigger } from './count-triggers.ts'
import type { Migration } from './migration.ts'

const { up, down } = replaceTrigger('onUpdate')

/**
 * From this migration on, items trashed with their folder are marked by trash_root_id alone. `down` gives each of these
 * rows the deleted_at of its trash root; otherwise it would become live again.
 */
export const countChangedLive: Migration = {
  name: '0035-count-changed-live',
  up,
  down: {
    sqlite: [
      `UPDATE files SET deleted_at =
         COALESCE((SELECT r.deleted_at FROM files r WHERE r.id = files.trash_root_id), files.updated_at)
       WHERE deleted_at IS NULL AND trash_root_id IS NOT NULL`,
      ...down.sqlite,
    ],
    mariadb: [
      `UPDATE files f LEFT JOIN files r ON r.id = f.trash_root_id
       SET f.deleted_at = COALESCE(r.deleted_at, f.updated_at)
       WHERE f.deleted_at IS NULL AND f.trash_root_id IS NOT NULL`,
      ...down.mariadb,
    ],
  },
}
