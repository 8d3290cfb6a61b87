/** Errors of actions in a view, shown where the user is. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { showError } from '../../ui/toast.tsx'

/** An error as the strip shows it. */
export interface Problem {
  title: string
  reason: string
}

/**
 * Returns the error in the view's strip, a function that sets it, and one that clears it if it has a given title. Once
 * the view is unmounted, a toast shows the error instead.
 */
export function useProblem() {
  const [problem, setProblem] = useState<Problem | null>(null)
  const isThere = useRef(false)
  useEffect(() => {
    isThere.current = true
    return () => {
      isThere.current = false
    }
  }, [])
  const tell = useCallback((found: Problem | null) => {
    if (isThere.current) setProblem(found)
    else if (found !== null) showError(`${found.title}. ${found.reason}`)
  }, [])
  const settle = useCallback((title: string) => setProblem(shown => (shown?.title === title ? null : shown)), [])
  return [problem, tell, settle] as const
}
