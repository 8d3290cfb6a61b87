/** How much of the quota is taken. */

import type { Profile } from '../../../src/api/auth.ts'
import { storageExceededPercent, storageWarningPercent } from '../../../src/api/limits.ts'
import { formatSize } from '../../lib/format-size.ts'
import { Card } from './card.tsx'
import styles from './storage-card.module.css'

const warnings = {
  warning: "You're running low on storage space. Consider deleting old files or contact an administrator.",
  danger: 'Storage quota exceeded. Please delete some files to continue uploading.',
}

/** Percent of the quota; a quota of 0 counts as full. */
const usageOf = ({ storage_used, storage_quota }: Profile): number =>
  storage_quota === 0 ? 100 : (storage_used / storage_quota) * 100

function levelOf(percent: number): keyof typeof warnings | null {
  if (percent >= storageExceededPercent) return 'danger'
  return percent > storageWarningPercent ? 'warning' : null
}

export function StorageCard({ user }: { user: Profile }) {
  const percent = usageOf(user)
  const level = levelOf(percent)
  return (
    <Card title="Storage" mark={<span>{Math.round(percent)}%</span>}>
      <div
        className={styles.track}
        role="progressbar"
        aria-label="Storage used"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.round(percent))}
      >
        <div className={styles.bar} data-level={level} style={{ width: `${Math.min(100, percent)}%` }} />
      </div>
      <p className={styles.words}>
        {formatSize(user.storage_used)} of {formatSize(user.storage_quota)} used
      </p>
      {level !== null && (
        <p className={styles.warning} data-level={level}>
          {warnings[level]}
        </p>
      )}
    </Card>
  )
}
