/** Whether the page waits for a busy server; the frame says so. */
import { create } from 'zustand'

export const useWaiting = create(() => ({ count: 0 }))

const add = (by: 1 | -1) => useWaiting.setState(({ count }) => ({ count: count + by }))

export async function whileWaiting(pause: Promise<unknown>): Promise<void> {
  add(1)
  await pause.finally(() => add(-1))
}
