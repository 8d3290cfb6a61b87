/** For parts that may render one frame after the rest of the page. */
import { startTransition, useEffect, useState } from 'react'

const waiting = new Set<() => void>()

function tellAll(): void {
  const all = [...waiting]
  waiting.clear()
  // A transition, so that user input comes first.
  startTransition(() => {
    for (const tell of all) tell()
  })
}

/** Whether a frame has been painted since mounting. Components waiting for the same frame render together. */
export function usePainted(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    const tell = () => setPainted(true)
    if (waiting.size === 0) requestAnimationFrame(() => setTimeout(tellAll))
    waiting.add(tell)
    return () => {
      waiting.delete(tell)
    }
  }, [])
  return isPainted
}
