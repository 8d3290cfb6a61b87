/** The frame of the page: the product's mark above one sheet. */
import { IconArrowUpRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ErrorStrip } from '../ui/error-strip.tsx'
import { Mark } from '../ui/mark.tsx'
import sheet from '../ui/sheet.module.css'
import { useNoStrayDrops } from '../ui/use-file-drop.ts'
import styles from './frame.module.css'
import { dismissProblem, useProblem } from './problem.ts'
import { useWaiting } from './waiting.ts'

/** `ownAddress` is that of the item in filestore; null if the visitor has no access there. */
export function Frame({ ownAddress = null, children }: { ownAddress?: string | null; children: ReactNode }) {
  const { problem } = useProblem()
  const isWaiting = useWaiting(({ count }) => count > 0)
  useNoStrayDrops()
  return (
    <div className={styles.frame}>
      <header className={styles.header}>
        <Mark size={20} />
        <span className={styles.product}>filestore</span>
        {ownAddress !== null && (
          <a href={ownAddress} className={styles.open}>
            Open in filestore
            <IconArrowUpRight size={16} stroke={1.75} aria-hidden />
          </a>
        )}
      </header>
      <main className={sheet.sheet}>
        {problem && <ErrorStrip {...problem} onDismiss={dismissProblem} />}
        {children}
      </main>
      {/* It stays in the page, so that screen readers announce what comes into it. */}
      <p className={styles.waiting} role="status">
        {isWaiting && <span>The server is busy. Trying again in a moment…</span>}
      </p>
    </div>
  )
}
