/** The four figures at the top: files, folders, storage used and left. */
import type { Profile } from '../../../src/api/auth.ts'
import { usageOf } from '../../lib/data/storage.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import styles from './figures.module.css'
import { pick, type Stats } from './stats.ts'

export function Figures({ user, stats }: { user: Profile; stats: Stats }) {
  const { percentText, available } = usageOf(user)
  const count = (amount: number | null) => amount?.toLocaleString('en-US') ?? null
  const figures = [
    { label: 'Total Files', value: count(pick(stats, ({ total_files }) => total_files)), hint: 'Across all folders' },
    { label: 'Total Folders', value: count(pick(stats, ({ total_folders }) => total_folders)), hint: 'On all levels' },
    { label: 'Storage Used', value: formatSize(user.storage_used), hint: `${percentText} of quota` },
    { label: 'Available Space', value: formatSize(available), hint: `of ${formatSize(user.storage_quota)}` },
  ]
  return (
    <dl className={styles.figures}>
      {figures.map(({ label, value, hint }) => (
        <div key={label} className={styles.figure}>
          <dt className={styles.label}>{label}</dt>
          <dd className={styles.value}>{value ?? <Missing stats={stats} />}</dd>
          <dd className={styles.hint}>{hint}</dd>
        </div>
      ))}
    </dl>
  )
}

function Missing({ stats }: { stats: Stats }) {
  if (stats === 'failed') return <span title="Not known at the moment">—</span>
  return stats === 'waiting' ? <span className={styles.bar} role="status" aria-label="Loading" /> : <>&nbsp;</>
}
