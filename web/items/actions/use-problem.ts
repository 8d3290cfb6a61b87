/** Failures of what was done in a view, told where the user is. */
import { useCallback, useEffect, useRef, useState } from 'react'
import { showError } from '../../ui/toast.tsx'

/** A failure as the strip shows it. */
export interface Problem {
  title: string
  reason: string
}

/**
 * The failure that the view's strip shows, what sets it, and what takes it away where it has a given title; once the view
 * is gone, a toast tells it.
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
