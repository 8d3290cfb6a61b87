/** Loads the rest of a long list before it is printed. */
import { useEffect, useState } from 'react'
import { showToast } from '../toast.tsx'
import { useStable } from '../use-stable.ts'

/** The most rows on paper: more take a browser minutes. */
export const mostPrinted = 10_000

interface Rows {
  /** How many rows are loaded. */
  loaded: number
  /** How many there are. */
  total: number
  /** Loads the next page; does nothing while one is loading. */
  loadMore: () => void
  /** Whether loading the next page failed; then the loaded rows are printed. */
  isStuck: boolean
  /** Loads what else is printed, when all rows are there. */
  finish?: () => Promise<unknown>
}

/** A function that loads what is missing and then prints; undefined when there is nothing to load. */
export function useGathering({ loaded, total, loadMore, isStuck, finish }: Rows): (() => void) | undefined {
  const [isGathering, setGathering] = useState(false)
  const isMissing = loaded < Math.min(total, mostPrinted) && !isStuck
  const { end } = useStable({ end: async () => finish?.() })
  useEffect(() => {
    if (isGathering && isMissing) loadMore()
  }, [isGathering, isMissing, loadMore])
  useEffect(() => {
    if (!isGathering || isMissing) return
    let isWanted = true
    void end().finally(() => {
      if (!isWanted) return
      setGathering(false)
      window.print()
    })
    return () => {
      isWanted = false
    }
  }, [isGathering, isMissing, end])
  useEffect(() => {
    if (!isGathering) return
    return showToast({
      tone: 'loading',
      message: 'Loading the whole list to print it…',
      action: { label: 'Cancel', run: () => setGathering(false) },
    })
  }, [isGathering])
  return isMissing || finish !== undefined ? () => setGathering(true) : undefined
}
