/** How long an item stays in the trash: an emptying ring, and the days in words. */
import type { FileItem } from '../../../src/api/items.ts'
import { pageConfig } from '../../lib/server/config.ts'
import { daysLeft } from '../../lib/words/format-date.ts'
import styles from './days-left.module.css'

const circumference = 2 * Math.PI * 5.5
/** Below this many days the text turns red. */
const soon = 7

export const isSoon = (days: number): boolean => days < soon

/** Days until the item is deleted permanently; null when the time of its deletion is unknown. */
export const daysRemaining = ({ deleted_at }: FileItem): number | null =>
  deleted_at === null ? null : daysLeft(deleted_at, pageConfig.trash_retention_days)

interface DaysLeftProps {
  /** Null when unknown. */
  days: number | null
  /** The total number of days. */
  of: number
}

export function DaysLeft({ days, of }: DaysLeftProps) {
  if (days === null) return <>—</>
  const share = of === 0 ? 0 : Math.min(1, days / of)
  return (
    <span className={styles.days} data-soon={isSoon(days) || undefined}>
      <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
        <circle cx="7" cy="7" r="5.5" className={styles.track} />
        <circle cx="7" cy="7" r="5.5" className={styles.rest} strokeDasharray={`${share * circumference} 99`} />
      </svg>
      {days === 1 ? '1 day' : `${days} days`}
    </span>
  )
}
