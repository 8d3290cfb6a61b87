/** How much of the quota is used. */
import type { Profile } from '../../../src/api/auth.ts'
import { usageOf } from '../../lib/data/storage.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { StorageWarning } from '../../shell/storage-warning.tsx'
import { Card } from '../../ui/card.tsx'
import styles from './storage-card.module.css'

export function StorageCard({ user }: { user: Profile }) {
  const { percent, percentText, level } = usageOf(user)
  return (
    <Card title="Storage" mark={<span>{percentText}</span>}>
      <div
        className={styles.track}
        role="progressbar"
        aria-label="Storage used"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.floor(percent))}
      >
        <div className={styles.bar} data-level={level} style={{ width: `${Math.min(100, percent)}%` }} />
      </div>
      <p className={styles.words}>
        {formatSize(user.storage_used)} of {formatSize(user.storage_quota)} used
      </p>
      <StorageWarning level={level} />
    </Card>
  )
}
