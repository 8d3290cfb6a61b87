/** The failure that the page shows above its content, until it is dismissed or something else is tried. */
import { create } from 'zustand'

interface Problem {
  title: string
  reason: string
}

export const useProblem = create<{ problem: Problem | null }>(() => ({ problem: null }))

export const showProblem = (title: string, reason: string): void => useProblem.setState({ problem: { title, reason } })

export const dismissProblem = (): void => useProblem.setState({ problem: null })
