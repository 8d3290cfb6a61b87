/** Runs a change on any number of items: slice after slice, with its progress, until all are tried or it is stopped. */
import { create } from 'zustand'
import { ApiError } from '../../../src/api/client.ts'
import { maxBatchSize } from '../../../src/api/limits.ts'
import type { Outcome } from '../../lib/data/batch.ts'
import type { Change } from '../../lib/data/change.ts'

/** The result of an act; `left` are the items that were not tried. */
export interface ActOutcome<Item> extends Outcome<Item> {
  left: readonly Item[]
}

export interface Progress {
  /** How many items were tried. */
  tried: number
  total: number
  /** Whether no further slice is sent. */
  isStopped: boolean
}

export type ProgressStore = ReturnType<typeof startProgress>

export const startProgress = (total: number) => create((): Progress => ({ tried: 0, total, isStopped: false }))

/** Milliseconds that a slice should take: so often the progress moves, and so long a Stop waits. */
const sliceTime = 700

/** One request at a time: the server changes a user's items in turn, and other acts of the user go in between. */
export async function runSlices<Item>(
  items: readonly Item[],
  { send, first }: Change<Item>,
  progress: ProgressStore,
  onSlice?: (done: readonly Item[]) => void,
): Promise<ActOutcome<Item>> {
  const outcome: Outcome<Item> = { done: [], failed: [] }
  let tried = 0
  let size = first
  const isAtOnce = items.length <= first
  while (tried < items.length && !progress.getState().isStopped) {
    const slice = items.slice(tried, tried + size)
    const began = performance.now()
    const { done, failed } = await send(slice, isAtOnce)
    outcome.done.push(...done)
    outcome.failed.push(...failed)
    tried += slice.length
    progress.setState({ tried })
    onSlice?.(done)
    if (failed.length === slice.length && isOutage(failed.at(-1)?.error)) break
    size = nextSize(size, performance.now() - began)
  }
  return { ...outcome, left: items.slice(tried) }
}

/** At most twice or half as many as before, because one slice says little about the next. */
function nextSize(size: number, milliseconds: number): number {
  const factor = Math.min(2, Math.max(0.5, sliceTime / milliseconds))
  return Math.min(maxBatchSize, Math.max(1, Math.round(size * factor)))
}

/** Whether a failure is the server's or the connection's, and not the item's, so that the next slice would fail too. */
const isOutage = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.status >= 500 || [401, 429].includes(error.status)
