/** How much of a quota is used: a bar, and the figures beside it. */
import { storageExceededPercent, storageWarningPercent } from '../../../src/api/limits.ts'
import type { User } from '../../../src/api/users.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import styles from './storage-bar.module.css'

/** Percent of the quota; anything used of a quota of 0 exceeds it. */
const usageOf = ({ storage_used: used, storage_quota: quota }: StorageBarProps['of']): number =>
  quota === 0 ? (used === 0 ? 0 : storageExceededPercent) : (used / quota) * 100

interface StorageBarProps {
  /** A user, or a team folder. */
  of: Pick<User, 'storage_used' | 'storage_quota'>
}

export function StorageBar({ of: place }: StorageBarProps) {
  const usage = usageOf(place)
  const level = usage >= storageExceededPercent ? 'full' : usage > storageWarningPercent ? 'low' : undefined
  const words = `${formatSize(place.storage_used)} of ${formatSize(place.storage_quota)}`
  return (
    <span className={styles.storage} title={`${words}, ${usage.toFixed(1)}% used`}>
      <span className={styles.track} aria-hidden>
        <span className={styles.fill} data-level={level} style={{ width: `${Math.min(100, usage)}%` }} />
      </span>
      <span className={styles.words}>{words}</span>
    </span>
  )
}
