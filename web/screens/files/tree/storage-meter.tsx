/** How much of the quota is used, below the folder tree. */
import { useQuery } from '@tanstack/react-query'
import { profileQuery, usageOf } from '../../../lib/data/storage.ts'
import { useAuth } from '../../../lib/server/auth-store.ts'
import { formatSize } from '../../../lib/words/format-size.ts'
import styles from './storage-meter.module.css'

export function StorageMeter() {
  // Refetches the user below after every upload and deletion.
  useQuery(profileQuery)
  const user = useAuth(state => state.user)
  if (user === null) return null
  const { percent, percentText, level } = usageOf(user)
  const words = `${formatSize(user.storage_used)} of ${formatSize(user.storage_quota)} used`
  return (
    <div className={styles.meter}>
      <div className={styles.line}>
        <span>Storage</span>
        <span className={styles.percent}>{percentText}</span>
      </div>
      <div
        className={styles.track}
        role="meter"
        aria-label="Storage"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.floor(percent))}
        aria-valuetext={`${percentText}, ${words}`}
      >
        <div className={styles.bar} data-level={level} style={{ width: `${Math.min(100, percent)}%` }} />
      </div>
      <p className={styles.words}>{words}</p>
    </div>
  )
}
