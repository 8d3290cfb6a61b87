/** Turns true only once something has lasted: what is over sooner needs no sign of waiting. */
import { useEffect, useState } from 'react'

/** True after `active` has been true for `delay` ms without a break. */
export function useDelayed(active: boolean, delay: number): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (!active) return
    const timer = setTimeout(() => setOver(true), delay)
    return () => {
      clearTimeout(timer)
      setOver(false)
    }
  }, [active, delay])
  return active && isOver
}
