/** Work that a dialog waits for: as long as it lasts the dialog stays, so that a failure finds it there. */
import { createContext, type RefObject, useContext, useEffect, useState } from 'react'

/** Where a dialog reads whether what is in it is at work. */
export const Busyness = createContext<RefObject<boolean>>({ current: false })

/** Like `useState(false)`; while it is true, the dialog around it is not closed by Escape, its cross or a click beside it. */
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
