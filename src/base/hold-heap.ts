/**
 * Limits the garbage of large answers, and of many bodies that are received at once. V8 lets the heap of a server, which
 * needs 30 MB, grow by 150 MB before it collects, and the process keeps that memory. With the limit all the time, pages
 * of a thousand items would take a third longer.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes in memory above which their garbage is limited: without it, forms take three times the memory. */
const heldTightly = 8 * 1024 ** 2
/** ms for which one call sets the limit. */
const heldTime = 10_000

function hold(): void {
  setFlagsFromString('--heap-growing-percent=50')
  // V8 sets its next limit when it collects.
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
}

let timer: NodeJS.Timeout | null = null

/**
 * For some seconds, V8 collects as soon as the heap has grown by half, if what is kept takes many `bytes`. One large
 * answer alone would take a quarter longer.
 */
export function holdHeap(bytes: number): void {
  if (bytes <= heldTightly) return
  if (timer !== null) {
    timer.refresh()
    return
  }
  hold()
  timer = setTimeout(() => {
    timer = null
    setFlagsFromString('--heap-growing-percent=0')
  }, heldTime).unref()
}
