/** Works on a few items at the same time. */

const concurrency = 4

async function* iterate<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* items
}

/**
 * Runs `act` on all items, four at a time. After a failure it starts no other item, waits until none is running, and
 * throws the failure.
 */
export async function workSideBySide<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const shared = iterate(items)
  const work = async () => {
    // A failure in this loop closes the shared generator, which ends the loops of the other workers too.
    for await (const item of shared) await act(item)
  }
  const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, work))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
