/** Keeps a dialog open while its work runs, so that it can show a failure. */
import { createContext, type RefObject, useContext, useEffect, useState } from 'react'

/** Tells a dialog whether its content is busy. */
export const Busyness = createContext<RefObject<boolean>>({ current: false })

/** Like `useState(false)`. While true, the surrounding dialog ignores Escape, its close button and outside clicks. */
export function useBusy() {
  const state = useState(false)
  const [isBusy] = state
  const around = useContext(Busyness)
  useEffect(() => {
    around.current = isBusy
    return () => {
      around.current = false
    }
  }, [isBusy, around])
  return state
}
