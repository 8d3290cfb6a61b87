/** The change that approves or rejects many files of the queue. */
import type { PendingFile } from '../../../src/api/validation.ts'
import { type Decision, type QueueKey, send, settle, takeOut } from '../../items/review/queue-edits.ts'
import type { Outcome } from '../../lib/data/batch.ts'
import type { Change } from '../../lib/data/change.ts'
import { queryClient } from '../../lib/server/query-client.ts'

/** The API decides on one file a call; this many calls run at once. */
const callsAtOnce = 4
const firstSlice = 20

export const deciding = (queryKey: QueueKey, decision: Decision): Change<PendingFile> => ({
  send: async slice => {
    await takeOut(queryKey, slice)
    const outcome = await sendEach(slice, decision)
    await settle(queryKey, slice, outcome.failed)
    void queryClient.invalidateQueries({ queryKey: ['pending', 'count'] })
    return outcome
  },
  first: firstSlice,
  lists: ['pending'],
  inHand: 'slice',
})

async function sendEach(files: readonly PendingFile[], decision: Decision): Promise<Outcome<PendingFile>> {
  const outcome: Outcome<PendingFile> = { done: [], failed: [] }
  const waiting = files.values()
  const work = async () => {
    // All share one iterator, so that each takes the next file.
    for (const item of waiting) {
      await send(item, decision).then(
        () => outcome.done.push(item),
        error => outcome.failed.push({ item, error }),
      )
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, work))
  return outcome
}
