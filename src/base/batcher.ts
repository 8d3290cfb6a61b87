/** Batches work: one call processes all waiting items. While a batch runs, the next one collects. */
interface BatcherOptions<Item, Result> {
  /** Maximum number of items in one batch. */
  most: number
  /** Returns the results in the order of the items. If it throws, every item of the batch fails with that error. */
  work: (items: readonly Item[]) => Promise<readonly Result[]>
}

interface Member<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** Maximum ms that a batch waits for callers who have just received their results and may come again. */
const longest = 3

/** Returns a function that adds an item to the next batch of a key. Batches of different keys run in parallel. */
export function openBatcher<Item, Result>({ most, work }: BatcherOptions<Item, Result>) {
  const lanes = new Map<string, Lane<Item, Result>>()

  async function runBatch(members: readonly Member<Item, Result>[]): Promise<void> {
    try {
      const results = await work(members.map(({ item }) => item))
      members.forEach(({ resolve }, index) => {
        resolve(results[index] as Result)
      })
    } catch (error) {
      for (const { reject } of members) reject(error)
    }
  }

  async function runLane(key: string, lane: Lane<Item, Result>): Promise<void> {
    while (lane.waiting.length > 0) {
      const members = lane.waiting.splice(0, most)
      await runBatch(members)
      // Without this wait, callers in lockstep would end up in two half-full batches and pay for both.
      if (members.length > 1) await gather(lane, Math.min(most, lane.waiting.length + members.length))
    }
    lanes.delete(key)
  }

  return (key: string, item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const lane = lanes.get(key)
      const member = { item, resolve, reject }
      if (lane === undefined) {
        const first: Lane<Item, Result> = { waiting: [member], added: () => undefined }
        lanes.set(key, first)
        void runLane(key, first)
      } else {
        lane.waiting.push(member)
        lane.added()
      }
    })
}

interface Lane<Item, Result> {
  waiting: Member<Item, Result>[]
  /** Called for each item that is added. */
  added: () => void
}

/** Waits until `expected` items are waiting, but no longer than `longest`. */
function gather<Item, Result>(lane: Lane<Item, Result>, expected: number): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, longest)
    lane.added = () => {
      if (lane.waiting.length < expected) return
      clearTimeout(timer)
      resolve()
    }
    lane.added()
  })
}
