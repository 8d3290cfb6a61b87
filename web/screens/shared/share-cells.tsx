/** The cells of a row, in wide windows and on phones. The name's link covers the whole row. */

import { IconDots, IconDotsVertical } from '@tabler/icons-react'
import { pathOf } from '../../../src/api/item-address.ts'
import { levelNames } from '../../../src/api/share-words.ts'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import { RowLink } from '../../items/list/rows/row-link.tsx'
import { formatDate, formatDay, formatFullDate } from '../../lib/words/format-date.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { CellsProps } from './look.ts'
import type { ShareRow } from './share-row.ts'
import styles from './shared-list.module.css'

export function DesktopCells({ row, onOpen, onMenu }: CellsProps<ShareRow>) {
  const { item, level, created_at } = row
  return (
    <>
      <div role="cell" className={styles.name}>
        <ItemIcon item={item} size={24} />
        <NameLink row={row} onOpen={onOpen} />
        {row.isNew && <Badge tone="accent">New</Badge>}
      </div>
      <div role="cell" className={styles.who}>
        <Who row={row} />
      </div>
      <div role="cell">{levelNames[level]}</div>
      <div role="cell" title={formatFullDate(created_at)}>
        {formatDate(created_at)}
      </div>
      <div role="cell">
        <End row={row} />
      </div>
      <div role="cell" className={styles.actions}>
        <IconButton
          label={`More actions for ${item.name}`}
          title="More actions"
          icon={IconDots}
          aria-haspopup="menu"
          data-next
          onClick={({ currentTarget }) => onMenu(currentTarget.getBoundingClientRect())}
        />
      </div>
    </>
  )
}

export function PhoneCells({ row, onOpen, onMenu }: CellsProps<ShareRow>) {
  const { item, level, expires_at } = row
  return (
    <>
      <div role="cell" className={styles.tile}>
        <ItemIcon item={item} size={36} />
      </div>
      <div role="cell" className={styles.words}>
        <div className={styles.name}>
          <NameLink row={row} onOpen={onOpen} />
          {row.isNew && <Badge tone="accent">New</Badge>}
        </div>
        <div className={styles.meta}>
          <span className={styles.who}>
            <Who row={row} />
          </span>
          <span>{levelNames[level]}</span>
          {expires_at !== null && <End row={row} word="until " />}
        </div>
      </div>
      <div role="cell" className={styles.actions}>
        <IconButton
          label={`More actions for ${item.name}`}
          icon={IconDotsVertical}
          iconSize={20}
          size="lg"
          aria-haspopup="menu"
          data-next
          onClick={({ currentTarget }) => onMenu(currentTarget.getBoundingClientRect())}
        />
      </div>
    </>
  )
}

const NameLink = ({ row: { item }, onOpen }: Pick<CellsProps<ShareRow>, 'row' | 'onOpen'>) => (
  <span className={styles.link} data-name>
    <RowLink to={pathOf(item)} className={styles.text} title={item.name} tabIndex={0} onOpen={onOpen}>
      <ItemName item={item} />
    </RowLink>
  </span>
)

/** `anna`, `anna to Class 3`, `Class 3 (group)`. */
function Who({ row: { who } }: { row: ShareRow }) {
  return (
    <span title={who.to === null ? who.name : `${who.name} to ${who.to}`}>
      <bdi>{who.name}</bdi>
      {who.to !== null && (
        <span className={styles.faint}>
          {' to '}
          <bdi>{who.to}</bdi>
        </span>
      )}
      {who.kind !== 'user' && <span className={styles.faint}>{who.kind === 'group' ? ' (group)' : ' (team)'}</span>}
    </span>
  )
}

/** The last day, or that it is over; nothing for a share without an end. */
function End({ row: { expires_at }, word = '' }: { row: ShareRow; word?: string }) {
  if (expires_at === null) return null
  const isOver = Date.parse(expires_at) <= Date.now()
  return (
    <span title={formatFullDate(expires_at)}>
      {isOver ? <Badge tone="danger">Expired</Badge> : `${word}${formatDay(expires_at)}`}
    </span>
  )
}
