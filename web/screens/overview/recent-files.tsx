/** The latest files; a click opens the preview. */
import type { FileItem } from '../../../src/api/items.ts'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import { StatusBadge } from '../../items/status-badge.tsx'
import { openPreview } from '../../lib/local/preview.ts'
import { formatFullDate, formatRelativeDay } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { Card } from '../../ui/card.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './recent-files.module.css'
import { pick, type Stats } from './stats.ts'

export function RecentFiles({ stats }: { stats: Stats }) {
  const files = pick(stats, ({ recent_files }) => recent_files) ?? []
  return (
    <Card title="Recent Files">
      <ul className={styles.list}>
        {files.map(file => (
          <li key={file.id}>
            <RecentFile file={file} onOpen={() => openPreview(file, files)} />
          </li>
        ))}
        {stats === 'waiting' && <SkeletonFiles />}
      </ul>
      {typeof stats !== 'string' && files.length === 0 && <p className={styles.hint}>No files uploaded yet</p>}
      {stats === 'failed' && <p className={styles.hint}>Not known at the moment.</p>}
    </Card>
  )
}

function RecentFile({ file, onOpen }: { file: FileItem; onOpen: () => void }) {
  const isPhone = usePhone()
  return (
    <button type="button" className={styles.row} title={file.name} onClick={onOpen}>
      <ItemIcon item={file} size={isPhone ? 36 : 24} />
      <span className={styles.words}>
        <span className={styles.line}>
          <span className={styles.name}>
            <ItemName item={file} />
          </span>
          <StatusBadge item={file} />
        </span>
        <span className={styles.meta}>
          <span className={styles.size}>{formatSize(file.size)}</span>
          <span className={styles.date} title={formatFullDate(file.updated_at)}>
            {formatRelativeDay(file.updated_at)}
          </span>
        </span>
      </span>
    </button>
  )
}

function SkeletonFiles() {
  return [1, 2, 3, 4, 5, 6].map(line => (
    <li key={line} className={styles.row} style={{ opacity: 1 - line / 7 }} aria-hidden>
      <span className={styles.tile} />
      <span className={styles.grey} style={{ width: `${40 + ((line * 17) % 35)}%` }} />
    </li>
  ))
}
