/** The used storage by type: a bar for the whole quota, and a row for each type. */
import { Link } from '@tanstack/react-router'
import type { Profile } from '../../../src/api/auth.ts'
import { fileCount } from '../../items/counts.ts'
import { usageOf } from '../../lib/data/storage.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { StorageWarning } from '../../shell/storage-warning.tsx'
import { Card } from '../../ui/card.tsx'
import { type Part, partsOf } from './parts.ts'
import { roomFor } from './reserved-rows.ts'
import { pick, type Stats } from './stats.ts'
import styles from './storage-details.module.css'

/** The whole used storage as one part, until the parts are known. */
const allUsed = (user: Profile): Part[] => [
  { label: 'Used', color: 'var(--fs-control)', bytes: user.storage_used, files: null, kind: null },
]

interface StorageDetailsProps {
  user: Profile
  stats: Stats
  /** How many rows the card has room for while the statistics load. */
  rows: number
}

export function StorageDetails({ user, stats, rows }: StorageDetailsProps) {
  const { percentText, level } = usageOf(user)
  const parts = pick(stats, known => partsOf(user, known)) ?? []
  const largest = Math.max(1, ...parts.map(({ bytes }) => bytes))
  return (
    <Card
      title="Storage"
      mark={
        <span className={styles.usage}>
          <b>{percentText}</b> of {formatSize(user.storage_quota)}
        </span>
      }
    >
      <Bar user={user} parts={typeof stats === 'string' ? allUsed(user) : parts} />
      <StorageWarning level={level} />
      <div className={styles.legend} style={roomFor(rows)}>
        <ul>
          {parts.map(part => (
            <LegendRow key={part.label} part={part} largest={largest} />
          ))}
          {stats === 'waiting' && <SkeletonLegend rows={rows} />}
        </ul>
        {typeof stats !== 'string' && parts.length === 0 && <p className={styles.words}>Nothing is stored yet.</p>}
        {stats === 'failed' && <p className={styles.words}>What takes the storage is not known at the moment.</p>}
      </div>
      <div className={styles.ways}>
        <Link to="/overview/largest">Show the largest files</Link>
        <Link to="/overview/largest" search={{ duplicates: true }}>
          Show duplicates
        </Link>
      </div>
    </Card>
  )
}

function Bar({ user, parts: all }: { user: Profile; parts: readonly Part[] }) {
  const { percent } = usageOf(user)
  const parts = all.filter(({ bytes }) => bytes > 0)
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

function LegendRow({ part: { label, color, bytes, files, kind }, largest }: { part: Part; largest: number }) {
  return (
    <li className={styles.row}>
      <span className={styles.mark} style={{ background: color }} />
      {kind === null ? (
        <Link to="/trash">{label}</Link>
      ) : (
        <Link to="/overview/largest" search={{ kind }}>
          {label}
        </Link>
      )}
      <span className={styles.track} aria-hidden>
        {bytes > 0 && <span style={{ width: `${(bytes / largest) * 100}%`, background: color }} />}
      </span>
      <span className={styles.files}>{files !== null && fileCount(files)}</span>
      <span className={styles.size}>{formatSize(bytes)}</span>
    </li>
  )
}

function SkeletonLegend({ rows }: { rows: number }) {
  return [...Array(rows).keys()].map(line => (
    <li key={line} className={styles.row} style={{ opacity: 1 - line / (rows + 1) }} aria-hidden>
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
