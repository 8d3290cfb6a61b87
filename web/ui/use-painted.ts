/** What is not seen at once, and may come a picture later than what it stands in. */
import { startTransition, useEffect, useState } from 'react'

const waiting = new Set<() => void>()

function tellAll(): void {
  const all = [...waiting]
  waiting.clear()
  // Whatever somebody does meanwhile goes before.
  startTransition(() => {
    for (const tell of all) tell()
  })
}

/** Whether a picture has been drawn since the component was mounted. All that wait for the same one are drawn together. */
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
