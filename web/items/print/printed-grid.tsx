/** A grid of items on paper: cards with pictures. */
import type { FileItem } from '../../../src/api/items.ts'
import { thumbnailUrl } from '../../lib/data/thumbnails.ts'
import { formatFullDate } from '../../lib/words/format-date.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { ItemPicture } from '../item-picture.tsx'
import styles from './printed-grid.module.css'
import { PrintedName, PrintedTags } from './printed-name.tsx'

export function PrintedGrid({ items }: { items: readonly FileItem[] }) {
  return (
    <div className={styles.grid}>
      {items.map(item => (
        <Card key={item.id} item={item} />
      ))}
    </div>
  )
}

function Card({ item }: { item: FileItem }) {
  const picture = thumbnailUrl(item)
  return (
    <div className={styles.card}>
      <div className={styles.picture}>
        <ItemPicture item={{ ...item, thumbnail_path: null }} />
        {/* Over the icon, which is seen where the picture has not loaded. */}
        {picture !== null && <img src={picture} alt="" />}
      </div>
      <PrintedName item={item} />
      <div className={styles.meta}>
        {!item.is_directory && `${formatSize(item.size)} · `}
        {formatFullDate(item.updated_at)}
      </div>
      <PrintedTags tags={item.tags} />
    </div>
  )
}
