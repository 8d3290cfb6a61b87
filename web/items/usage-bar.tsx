/** A thin bar: how much of a quota is used. */
import { usageOf } from '../lib/data/storage.ts'
import { formatSize } from '../lib/words/format-size.ts'
import styles from './usage-bar.module.css'

export interface Usage {
  /** Bytes. */
  storage_used: number
  storage_quota: number
}

export const usageWords = ({ storage_used, storage_quota }: Usage): string =>
  `${formatSize(storage_used)} of ${formatSize(storage_quota)} used`

/** `label` is its accessible name. */
export function UsageBar({ label, usage }: { label: string; usage: Usage }) {
  const { percent, percentText, level } = usageOf(usage)
  return (
    <div
      className={styles.track}
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.floor(percent))}
      aria-valuetext={`${percentText}, ${usageWords(usage)}`}
    >
      <div className={styles.bar} data-level={level} style={{ width: `${Math.min(100, percent)}%` }} />
    </div>
  )
}
