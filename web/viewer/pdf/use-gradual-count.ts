/** Counts up slowly, to spread background work over time. */
import { useEffect, useState } from 'react'

/** Milliseconds between two steps. */
const pause = 40

/** Counts from 0 to `most`. */
export function useGradualCount(most: number): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (count >= most) return
    const timer = setTimeout(() => setCount(count + 1), pause)
    return () => clearTimeout(timer)
  }, [count, most])
  return Math.min(count, most)
}
