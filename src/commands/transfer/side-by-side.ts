/** Works on a few items at a time. */

const concurrency = 4

async function* iterate<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  yield* items
}

/** After a failure it takes no other items, waits until nothing runs any more, and throws what failed. */
export async function workSideBySide<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  act: (item: Item) => Promise<void>,
): Promise<void> {
  const shared = iterate(items)
  const work = async () => {
    // Who leaves this loop by a failure ends it for the others, too.
    for await (const item of shared) await act(item)
  }
  const outcomes = await Promise.allSettled(Array.from({ length: concurrency }, work))
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}
