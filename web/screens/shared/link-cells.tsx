/** The cells of a link's row, in wide windows and on phones. The name's link covers the whole row. */
import { IconCopy, IconDots, IconDotsVertical } from '@tabler/icons-react'
import { pathOf } from '../../../src/api/item-address.ts'
import type { Link } from '../../../src/api/links.ts'
import { ItemIcon } from '../../items/item-icon.tsx'
import { ItemName } from '../../items/item-name.tsx'
import { RowLink } from '../../items/list/rows/row-link.tsx'
import { copyLink } from '../../items/sharing/links/copy-link.ts'
import { readableAddress } from '../../items/sharing/links/link-address.ts'
import { LinkBadge } from '../../items/sharing/links/link-badge.tsx'
import { wordsOfTerms } from '../../items/sharing/links/link-terms.ts'
import { wordsOfUse } from '../../items/sharing/links/link-use.ts'
import { formatDate } from '../../lib/words/format-date.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import type { CellsProps } from './look.ts'
import styles from './shared-list.module.css'

const titleOf = ({ item, label }: Link): string => [item?.name ?? 'a link', label].filter(Boolean).join(', ')

export function DesktopCells({ row, onOpen, onMenu }: CellsProps<Link>) {
  const { label, url } = row
  const address = url && readableAddress(url)
  return (
    <>
      <div role="cell" className={styles.name}>
        <ItemIcon item={row.item ?? { is_directory: false, mime_type: null }} size={24} />
        <NameLink row={row} onOpen={onOpen} />
      </div>
      <div role="cell" className={styles.who} title={[label, address].filter(Boolean).join('\n')}>
        {label !== null && <bdi>{label}</bdi>}{' '}
        <span className={styles.faint} dir="ltr">
          {address ?? (label === null && '—')}
        </span>
      </div>
      <div role="cell" className={styles.who} title={titleOfUse(row)}>
        {wordsOfUse(row)}
      </div>
      <div role="cell" className={styles.who} title={wordsOfTerms(row)}>
        {wordsOfTerms(row)}
      </div>
      <div role="cell">
        <LinkBadge link={row} />
      </div>
      <div role="cell" className={styles.actions}>
        {url !== null && (
          <IconButton
            label={`Copy the link of ${titleOf(row)}`}
            title="Copy link"
            icon={IconCopy}
            onClick={() => void copyLink(url)}
          />
        )}
        <IconButton
          label={`More actions for ${titleOf(row)}`}
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

export function PhoneCells({ row, onOpen, onMenu }: CellsProps<Link>) {
  const { label, url } = row
  return (
    <>
      <div role="cell" className={styles.tile}>
        <ItemIcon item={row.item ?? { is_directory: false, mime_type: null }} size={36} />
      </div>
      <div role="cell" className={styles.words}>
        <div className={styles.name}>
          <NameLink row={row} onOpen={onOpen} />
        </div>
        <div className={styles.meta}>
          <LinkBadge link={row} />
          {(label !== null || url !== null) && (
            <span className={styles.who}>
              {label !== null && <bdi>{label}</bdi>} {url !== null && <span dir="ltr">{readableAddress(url)}</span>}
            </span>
          )}
          <span className={styles.who}>{wordsOfUse(row)}</span>
        </div>
      </div>
      <div role="cell" className={styles.actions}>
        <IconButton
          label={`More actions for ${titleOf(row)}`}
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

/** `Opened 12 times, 3 downloads, last Today, 09:41`. */
function titleOfUse(link: Link): string {
  const used = wordsOfUse(link)
  return link.last_used_at === null ? used : `${used}, last ${formatDate(link.last_used_at)}`
}

function NameLink({ row: { item, item_id }, onOpen }: Pick<CellsProps<Link>, 'row' | 'onOpen'>) {
  if (item === null) return <span className={styles.faint}>Not yours to see any more</span>
  return (
    <span className={styles.link} data-name>
      <RowLink
        to={pathOf({ id: item_id, is_directory: item.is_directory })}
        className={styles.text}
        title={item.path}
        tabIndex={0}
        onOpen={onOpen}
      >
        <ItemName item={item} />
      </RowLink>
    </span>
  )
}
