/** Compares what an index said of an item's folder with the row itself. */
import { DamageError } from '../db/connections.ts'
import type { ItemRow } from './item-row.ts'

/**
 * Throws DamageError unless the rows are live and in the folder (null: the root) by which they were looked up. SQLite reads
 * a condition on `live_parent` from the index alone. After a lost write the index may have an item where it is no more,
 * and whoever may read that folder would read it.
 */
export function confirmParent(
  rows: readonly Pick<ItemRow, 'id' | 'parent_id' | 'deleted_at'>[],
  folderId: number | null,
): void {
  for (const { id, parent_id, deleted_at } of rows) {
    if (parent_id === folderId && deleted_at === null) continue
    throw new DamageError(
      `an index has item ${id} in folder ${folderId ?? 'null'}, and its row has not: run filestore fsck`,
    )
  }
}
