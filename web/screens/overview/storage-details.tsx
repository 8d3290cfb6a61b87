/** The used storage by type: a bar for the whole quota, and a row for each type. */
import { Link } from '@tanstack/react-router'
import type { Profile } from '../../../src/api/auth.ts'
import { fileCount } from '../../items/counts.ts'
import { kindLooks } from '../../items/kinds.ts'
import { trashBytes } from '../../lib/data/stats.ts'
import { usageOf } from '../../lib/data/storage.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { StorageWarning } from '../../shell/storage-warning.tsx'
import { Card } from '../../ui/card.tsx'
import { pick, type Stats } from './stats.ts'
import styles from './storage-details.module.css'

/** A part of the used storage: a type of files, or the trash. */
interface Share {
  label: string
  color: string
  bytes: number
  /** Null when they are not counted. */
  files: number | null
}

/** The whole used storage as one part, until the parts are known. */
const allUsed = (user: Profile): Share[] => [
  { label: 'Used', color: 'var(--fs-control)', bytes: user.storage_used, files: null },
]

/** The types, largest first. The rest of the used storage is the trash. */
function sharesOf(user: Profile, stats: Stats): Share[] {
  const kinds = pick(stats, ({ by_kind }) => by_kind) ?? []
  const shares = kinds.map(({ kind, files, bytes }) => ({
    label: kindLooks[kind].plural,
    color: `var(--fs-k-${kind})`,
    bytes,
    files,
  }))
  const rest = pick(stats, known => trashBytes(user, known)) ?? 0
  return rest === 0 ? shares : [...shares, { label: 'Trash', color: 'var(--fs-control)', bytes: rest, files: null }]
}

export function StorageDetails({ user, stats }: { user: Profile; stats: Stats }) {
  const { percentText, level } = usageOf(user)
  const shares = sharesOf(user, stats)
  const largest = Math.max(1, ...shares.map(({ bytes }) => bytes))
  return (
    <Card
      title="Storage"
      mark={
        <span className={styles.usage}>
          <b>{percentText}</b> of {formatSize(user.storage_quota)}
        </span>
      }
    >
      <Bar user={user} shares={typeof stats === 'string' ? allUsed(user) : shares} />
      <StorageWarning level={level} />
      <ul className={styles.legend}>
        {shares.map(share => (
          <LegendRow key={share.label} share={share} largest={largest} />
        ))}
        {stats === 'waiting' && <SkeletonLegend />}
      </ul>
      {typeof stats !== 'string' && shares.length === 0 && <p className={styles.words}>Nothing is stored yet.</p>}
      {stats === 'failed' && <p className={styles.words}>What takes the storage is not known at the moment.</p>}
    </Card>
  )
}

function Bar({ user, shares }: { user: Profile; shares: readonly Share[] }) {
  const { percent } = usageOf(user)
  const parts = shares.filter(({ bytes }) => bytes > 0)
  return (
    <div
      className={styles.bar}
      role="progressbar"
      aria-label="Storage used"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(100, Math.floor(percent))}
    >
      {parts.length > 0 && (
        <div className={styles.used} style={{ width: `${Math.min(100, percent)}%` }}>
          {parts.map(({ label, color, bytes }) => (
            <span
              key={label}
              className={styles.part}
              style={{ flexGrow: bytes, background: color }}
              title={`${label}: ${formatSize(bytes)}`}
            />
          ))}
        </div>
      )}
    </div>
  )
}

function LegendRow({ share: { label, color, bytes, files }, largest }: { share: Share; largest: number }) {
  return (
    <li className={styles.row}>
      <span className={styles.mark} style={{ background: color }} />
      <span>{files === null ? <Link to="/trash">{label}</Link> : label}</span>
      <span className={styles.track} aria-hidden>
        {bytes > 0 && <span style={{ width: `${(bytes / largest) * 100}%`, background: color }} />}
      </span>
      <span className={styles.files}>{files !== null && fileCount(files)}</span>
      <span className={styles.size}>{formatSize(bytes)}</span>
    </li>
  )
}

function SkeletonLegend() {
  return [1, 2, 3, 4, 5].map(line => (
    <li key={line} className={styles.row} style={{ opacity: 1 - line / 6 }} aria-hidden>
      <span className={styles.mark} />
      <span className={styles.grey} style={{ width: 64 }} />
      <span className={styles.track} />
      <span className={styles.files}>
        <span className={styles.grey} style={{ width: 48 }} />
      </span>
      <span className={styles.grey} style={{ width: 56 }} />
    </li>
  ))
}
