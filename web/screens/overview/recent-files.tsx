/** The latest files; a click opens the preview. */
import { IconDots } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { FileItem } from '../../../src/api/items.ts'
import { type CardMenu, useCardMenu } from '../../items/actions/use-card-menu.tsx'
import { useItemActions } from '../../items/actions/use-item-actions.tsx'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import { StatusBadge } from '../../items/status-badge.tsx'
import { formatFullDate, formatRelativeDay } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './recent-files.module.css'
import { roomFor } from './reserved-rows.ts'
import { pick, type Stats } from './stats.ts'

const nothing = () => undefined

interface RecentFilesProps {
  stats: Stats
  /** How many rows the card has room for while the statistics load. */
  rows: number
}

export function RecentFiles({ stats, rows }: RecentFilesProps) {
  const files = pick(stats, ({ recent_files }) => recent_files) ?? []
  const actions = useItemActions(files, nothing)
  const menu = useCardMenu(actions)
  return (
    <Card title="Recent Files" mark={files.length > 0 && <Link to="/recent">Show all</Link>}>
      {actions.problem && <ErrorStrip {...actions.problem} onDismiss={actions.dismissProblem} />}
      <div className={styles.files} style={roomFor(rows)}>
        <ul className={styles.list}>
          {files.map(file => (
            <li key={file.id}>
              <RecentFile file={file} onOpen={() => actions.preview(file)} menu={menu} />
            </li>
          ))}
          {stats === 'waiting' && <SkeletonFiles rows={rows} />}
        </ul>
        {typeof stats !== 'string' && files.length === 0 && <p className={styles.hint}>No files uploaded yet</p>}
        {stats === 'failed' && <p className={styles.hint}>Not known at the moment.</p>}
      </div>
      {menu.menu}
      {actions.dialogs}
    </Card>
  )
}

interface RecentFileProps {
  file: FileItem
  onOpen: () => void
  menu: CardMenu
}

function RecentFile({ file, onOpen, menu }: RecentFileProps) {
  const isPhone = usePhone()
  const look = isPhone ? ({ size: 'lg', iconSize: 20 } as const) : {}
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button beside opens the same menu
    <div className={styles.entry} onContextMenu={event => menu.openAtPointer(file, event)}>
      <button type="button" className={styles.row} title={file.name} onClick={onOpen}>
        <ItemIcon item={file} size={isPhone ? 36 : 24} />
        <span className={styles.words}>
          <span className={styles.line}>
            <span className={styles.name}>
              <ItemName item={file} />
            </span>
            <StatusBadge item={file} reason="tooltip" />
          </span>
          <span className={styles.meta}>
            <span className={styles.size}>{formatSize(file.size)}</span>
            <span className={styles.date} title={formatFullDate(file.updated_at)}>
              {formatRelativeDay(file.updated_at)}
            </span>
          </span>
        </span>
      </button>
      <IconButton
        label={`More actions for ${file.name}`}
        title="More actions"
        icon={IconDots}
        aria-haspopup="menu"
        className={styles.more}
        {...look}
        onClick={({ currentTarget }) => menu.open(file, currentTarget.getBoundingClientRect())}
      />
    </div>
  )
}

function SkeletonFiles({ rows }: { rows: number }) {
  return [...Array(rows).keys()].map(line => (
    <li key={line} className={styles.row} style={{ opacity: 1 - line / (rows + 1) }} aria-hidden>
      <span className={styles.tile} />
      <span className={styles.grey} style={{ width: `${40 + ((line * 17) % 35)}%` }} />
    </li>
  ))
}
