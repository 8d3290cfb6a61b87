/** Turns true only after a delay, so that short waits show no indicator. */
import { useEffect, useState } from 'react'

/** True after `active` has been true for `delay` ms without interruption. */
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
