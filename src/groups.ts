/** Has one piece of work done for all who wait for it: while a group is under way, the next one gathers. */
import { setTimeout } from 'node:timers/promises'

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

/** ms that a group waits for those who have just had their answer and come again, so that it is no smaller than the last. */
const pause = 3

/** Gives back a function that adds an item to the next group of a key; keys do not wait for each other. */
export function openGroups<Item, Result>({ most, work }: GroupOptions<Item, Result>) {
  const lanes = new Map<number, Member<Item, Result>[]>()

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

  async function runLane(key: number, waiting: Member<Item, Result>[]): Promise<void> {
    for (let last = 0; waiting.length > 0; ) {
      if (last > 1 && waiting.length < last) await setTimeout(pause)
      const members = waiting.splice(0, most)
      last = members.length
      await runGroup(members)
    }
    lanes.delete(key)
  }

  return (key: number, item: Item): Promise<Result> =>
    new Promise((resolve, reject) => {
      const lane = lanes.get(key)
      if (lane !== undefined) {
        lane.push({ item, resolve, reject })
        return
      }
      const first = [{ item, resolve, reject }]
      lanes.set(key, first)
      void runLane(key, first)
    })
}
