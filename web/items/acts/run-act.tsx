/** Runs an act on any number of items in sight of the user: with its progress and a Stop where it takes a while. */
import type { ReactNode } from 'react'
import type { Change } from '../../lib/data/change.ts'
import { refreshItems } from '../../lib/data/folders.ts'
import { showWhile } from '../../ui/toast.tsx'
import { ActCount, ActStop } from './act-progress.tsx'
import { takeInHand } from './in-hand.ts'
import { type ActOutcome, runSlices, startProgress } from './slices.ts'

/** Milliseconds between two refetches of what an act changes besides the lists that it edits. */
const refreshPause = 2_000

/** How many acts of several slices are running. */
let running = 0
window.addEventListener('beforeunload', event => {
  if (running > 0) event.preventDefault()
})

/** `title` says what goes on, as in "Moving to the trash". */
export async function runAct<Item extends { id: number }>(
  items: readonly Item[],
  change: Change<Item>,
  title: ReactNode,
): Promise<ActOutcome<Item>> {
  const progress = startProgress(items.length)
  try {
    if (items.length > change.first) return await runLong(items, change, title, progress)
    return await showWhile(runSlices(items, change, progress), <>{title}…</>)
  } finally {
    // Refetch after a failure too: somebody else may have moved or deleted an item. Nobody waits: many pages take long.
    void refreshItems()
  }
}

/** An act of several slices. */
async function runLong<Item extends { id: number }>(
  items: readonly Item[],
  change: Change<Item>,
  title: ReactNode,
  progress: ReturnType<typeof startProgress>,
): Promise<ActOutcome<Item>> {
  const letGo = change.inHand === undefined ? () => undefined : takeInHand(items)
  const refresh = openRefresh(change.lists)
  const onSlice = (done: readonly Item[]) => {
    if (change.inHand === 'slice') letGo(done)
    refresh()
  }
  running += 1
  try {
    return await showWhile(
      runSlices(items, change, progress, onSlice),
      <ActCount title={title} progress={progress} />,
      <ActStop progress={progress} />,
    )
  } finally {
    running -= 1
    letGo(items)
  }
}

/** Returns a function that refetches all but the `known` lists, if the last time is long enough ago. */
function openRefresh(known: readonly string[] | undefined): () => void {
  let last = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - last < refreshPause) return
    last = performance.now()
    void refreshItems(known)
  }
}
