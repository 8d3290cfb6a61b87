/** Records the event of a mark that is set on or removed from many items at once. */
import type { Recorder } from '../db/recorder.ts'

/**
 * Records one event for a change of several items: the item's own event if there is only one, else an event with the
 * number of items. With an event per item, a user could fill the disk by marking a thousand files again and again.
 */
export function recordMany(
  record: Recorder,
  action: 'file.favorite' | 'file.unfavorite' | 'file.tag' | 'file.untag',
  spaceId: number,
  ids: readonly number[],
  detail?: Record<string, unknown>,
): void {
  const [first] = ids
  if (first === undefined) record.nothing()
  else if (ids.length === 1) record(action, { id: first, spaceId }, detail)
  else record(action, { id: null, spaceId }, { ...detail, items: ids.length })
}
