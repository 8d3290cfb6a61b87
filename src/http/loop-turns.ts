/** Jobs that have to leave the event loop to others: some at each of its turns, in order of arrival. */

/** Jobs at one turn of the loop. Each may take a millisecond, and what it begins runs before the next turn. */
const perTurn = 8

/** Opens a queue that calls `run` with each item; an item that is added again while it waits is called once. */
export function openLoopTurns<Item>(run: (item: Item) => void): (item: Item) => void {
  const queue = new Set<Item>()
  let isDue = false

  function takeSome(): void {
    isDue = false
    let left = perTurn
    // One that is added again meanwhile comes again, after the others.
    for (const item of queue) {
      queue.delete(item)
      run(item)
      left -= 1
      if (left === 0) break
    }
    schedule()
  }

  function schedule(): void {
    if (isDue || queue.size === 0) return
    isDue = true
    setImmediate(takeSome)
  }

  return item => {
    queue.add(item)
    schedule()
  }
}
