import { byDeleted } from './count-triggers.ts'
import type { Migration } from './migration.ts'

/** Counts the existing rows; runs after all triggers exist, so that no change is missed in between. */
const countAll = [
  `REPLACE INTO folder_counts (space_id, folder_id, is_directory, items)
    SELECT space_id, live_parent, is_directory, COUNT(*) FROM files WHERE deleted_at IS NULL
    GROUP BY space_id, live_parent, is_directory`,
  `REPLACE INTO type_counts (space_id, is_directory, mime_type, items, bytes)
    SELECT space_id, is_directory, COALESCE(mime_type, ''), COUNT(*), SUM(size) FROM files WHERE deleted_at IS NULL
    GROUP BY space_id, is_directory, COALESCE(mime_type, '')`,
]

/** Counts rows that are moved, trashed, restored, renamed, replaced or transferred to another user. */
export const countChanged: Migration = {
  name: '0031-count-changed',
  up: { sqlite: [byDeleted.onUpdate.sqlite, ...countAll], mariadb: [byDeleted.onUpdate.mariadb, ...countAll] },
  down: { sqlite: ['DROP TRIGGER files_count_update'], mariadb: ['DROP TRIGGER IF EXISTS files_count_update'] },
}
