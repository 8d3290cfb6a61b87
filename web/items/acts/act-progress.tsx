/** What a toast shows while an act runs: how many of how many items, and a Stop. */
import { Button } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useStore } from 'zustand'
import styles from './act-progress.module.css'
import type { ProgressStore } from './slices.ts'

const inWords = (count: number): string => count.toLocaleString('en-US')

interface ActCountProps {
  title: ReactNode
  progress: ProgressStore
}

export function ActCount({ title, progress }: ActCountProps) {
  const { tried, total, isStopped } = useStore(progress)
  const titleId = useId()
  const count = `${inWords(tried)} of ${inWords(total)}`
  return (
    <>
      <span id={titleId}>{isStopped ? 'Stopping' : title}</span>
      {/* A screen reader reads the bar when asked; it would announce each new text. */}
      <span className={styles.count} aria-hidden>
        : {count}
      </span>
      <span
        className={styles.bar}
        role="progressbar"
        aria-labelledby={titleId}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={tried}
        aria-valuetext={count}
      >
        <span className={styles.tried} style={{ width: `${(tried / total) * 100}%` }} />
      </span>
    </>
  )
}

/** The slice that is under way still ends. */
export function ActStop({ progress }: { progress: ProgressStore }) {
  const isStopped = useStore(progress, state => state.isStopped)
  return (
    <Button variant="subtle" size="xs" disabled={isStopped} onClick={() => progress.setState({ isStopped: true })}>
      Stop
    </Button>
  )
}
