/** Has one piece of work done for all who wait for it: while a group is under way, the next one gathers. */
interface GroupOptions<Item, Result> {
  /** Items in one group, at most. */
  most: number
  /** Gives back the result of each, in their order; what it throws is every member's error. */
  work: (items: readonly Item[]) => Promise<readonly Result[]>
}

interface Member<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

/** ms that a group waits, at most, for those who have just had their answer and come again. */
const longest = 3

/** Gives back a function that adds an item to the next group of a key; keys do not wait for each other. */
export function openGroups<Item, Result>({ most, work }: GroupOptions<Item, Result>) {
  const lanes = new Map<number, Lane<Item, Result>>()

  async function runGroup(members: readonly Member<Item, Result>[]): Promise<void> {
    try {
      const results = await work(members.map(({ item }) => item))
      members.forEach(({ resolve }, index) => {
        resolve(results[index] as Result)
      })
    } catch (error) {
      for (const { reject } of members) reject(error)
    }
  }

  async function runLane(key: number, lane: Lane<Item, Result>): Promise<void> {
    while (lane.waiting.length > 0) {
      const members = lane.waiting.splice(0, most)
      await runGroup(members)
      // Two halves that take turns would pay twice for what a group pays once.
      if (members.length > 1) await gather(lane, Math.min(most, lane.waiting.length + members.length))
    }
    lanes.delete(key)
  }

  return (key: number, item: Item): Promise<Result> =>
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
  /** Called for each who comes. */
  added: () => void
}

/** Waits until so many are there, but not for long. */
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
