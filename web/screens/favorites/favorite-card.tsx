/** A favourite: its picture with the star, its name and its actions. */
import { IconDots, IconDownload, IconEye, IconStarFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { FileItem } from '../../../src/api/items.ts'
import { previewKind } from '../../../src/api/preview-kinds.ts'
import type { CardMenu } from '../../items/actions/use-card-menu.tsx'
import { startDownloadDrag } from '../../items/download-drag.ts'
import { ItemName } from '../../items/item-name.tsx'
import { ItemPicture } from '../../items/item-picture.tsx'
import { locationOf } from '../../items/place.ts'
import { useRights } from '../../items/rights.ts'
import { StatusBadge } from '../../items/status-badge.tsx'
import { formatDate, formatFullDate } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './favorite-card.module.css'

export interface CardActs {
  onRemove: (item: FileItem) => void
  onDownload: (item: FileItem) => void
  onPreview: (item: FileItem) => void
  menu: CardMenu
}

export function FavoriteCard({ item, onRemove, onDownload, onPreview, menu }: { item: FileItem } & CardActs) {
  const mayMark = useRights()([item]).mark
  const isPhone = usePhone()
  const look = isPhone ? ({ size: 'lg', iconSize: 20 } as const) : {}
  return (
    <article
      className={styles.card}
      aria-label={item.name}
      draggable={!item.is_directory}
      onDragStart={event => startDownloadDrag(event, item)}
      onContextMenu={event => menu.openAtPointer(item, event)}
    >
      <div className={styles.picture}>
        <ItemPicture item={item} />
        {item.place && (
          <span className={styles.place} title={locationOf(item)}>
            <Badge>{item.place.name}</Badge>
          </span>
        )}
        <span className={styles.status}>
          <StatusBadge item={item} />
        </span>
      </div>
      <Opener item={item} onPreview={onPreview} />
      <div className={styles.foot}>
        <span className={styles.meta} title={formatFullDate(item.updated_at)}>
          {item.is_directory ? <Badge>Folder</Badge> : formatSize(item.size)}
          <span className={styles.date}>{formatDate(item.updated_at)}</span>
        </span>
        <span className={styles.actions}>
          {!isPhone && previewKind(item.mime_type) !== null && (
            <IconButton
              label={`Preview ${item.name}`}
              title="Preview"
              icon={IconEye}
              {...look}
              onClick={() => onPreview(item)}
            />
          )}
          {!item.is_directory && (
            <IconButton
              label={`Download ${item.name}`}
              title="Download"
              icon={IconDownload}
              {...look}
              onClick={() => onDownload(item)}
            />
          )}
          <IconButton
            label={`More actions for ${item.name}`}
            title="More actions"
            icon={IconDots}
            aria-haspopup="menu"
            {...look}
            onClick={({ currentTarget }) => menu.open(item, currentTarget.getBoundingClientRect())}
          />
        </span>
      </div>
      {mayMark && (
        <button
          type="button"
          className={styles.star}
          data-next
          aria-label={`Remove ${item.name} from favorites`}
          title="Remove from favorites"
          onClick={() => onRemove(item)}
        >
          <IconStarFilled size={isPhone ? 20 : 16} aria-hidden />
        </button>
      )}
    </article>
  )
}

/** The name; its click target is the whole card. */
function Opener({ item, onPreview }: { item: FileItem; onPreview: CardActs['onPreview'] }) {
  if (!item.is_directory) {
    return (
      <button type="button" className={styles.name} title={item.name} onClick={() => onPreview(item)}>
        <ItemName item={item} />
      </button>
    )
  }
  return (
    <Link to="/files/{-$folderId}" params={{ folderId: String(item.id) }} className={styles.name} title={item.name}>
      <ItemName item={item} />
    </Link>
  )
}
