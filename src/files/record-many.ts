/** The event of a mark that many items get or lose at once. */
import type { Recorder } from '../db/write.ts'

/**
 * Notes what was done to some items: one event, which is the item's own where it is a single one, and else tells how many
 * they are. An event for each would let anybody fill the disk by marking a thousand files again and again.
 */
export function recordMany(
  record: Recorder,
  action: string,
  spaceId: number,
  ids: readonly number[],
  detail?: Record<string, unknown>,
): void {
  const [first] = ids
  if (first === undefined) record.nothing()
  else if (ids.length === 1) record(action, { id: first, spaceId }, detail)
  else record(action, { id: null, spaceId }, { ...detail, items: ids.length })
}
