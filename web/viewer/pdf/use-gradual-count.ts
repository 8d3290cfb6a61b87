/** Counts up slowly, for work that is to be done bit by bit beside what is looked at. */
import { useEffect, useState } from 'react'

/** Milliseconds between two bits. */
const pause = 40

/** From 0 up to `most`. */
export function useGradualCount(most: number): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    if (count >= most) return
    const timer = setTimeout(() => setCount(count + 1), pause)
    return () => clearTimeout(timer)
  }, [count, most])
  return Math.min(count, most)
}
