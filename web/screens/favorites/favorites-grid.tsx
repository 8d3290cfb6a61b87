/** The favourites as cards, windowed. */
import { useRef } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { useColumns } from '../../ui/use-columns.ts'
import { useFocusHeir } from '../../ui/use-focus-heir.ts'
import { useLow } from '../../ui/use-low.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import { type CardActs, FavoriteCard } from './favorite-card.tsx'
import styles from './favorites-grid.module.css'

interface FavoritesGridProps extends CardActs {
  items: readonly FileItem[]
  onNearEnd: () => void
}

/** Pixels: a card's minimum width, the height below its picture, and the gap between cards; and the picture's shape. */
const wide = { least: 200, words: 56, gap: 16, ratio: 0.75 }
const small = { least: 150, words: 96, gap: 12, ratio: 0.75 }
/** In a low window two rows of cards fit. */
const low = { least: 112, words: 58, gap: 12, ratio: 0.6 }

export function FavoritesGrid({ items, onNearEnd, onRemove, ...acts }: FavoritesGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const isPhone = usePhone()
  const { least, words, gap, ratio } = useLow() ? low : isPhone ? small : wide
  const { count, width } = useColumns(scroller, least, gap)
  const cardHeight = Math.round(width * ratio) + words
  const { rows, height } = useRowWindow({
    count: count === 0 ? 0 : Math.ceil(items.length / count),
    rowHeight: cardHeight + gap,
    scroller,
    onNearEnd,
  })
  const focusNext = useFocusHeir(scroller, items)
  const remove = (item: FileItem) => {
    focusNext(item)
    onRemove(item)
  }
  return (
    <div ref={scroller} className={styles.scroller}>
      <ul className={styles.cards} style={{ height }} aria-label="Favorites">
        {rows.flatMap(({ index: row, start }) =>
          items.slice(row * count, (row + 1) * count).map((item, column) => (
            <li
              key={item.id}
              data-file={item.id}
              className={styles.place}
              style={{ width, height: cardHeight, transform: `translate(${column * (width + gap)}px, ${start}px)` }}
            >
              <FavoriteCard item={item} onRemove={remove} {...acts} />
            </li>
          )),
        )}
      </ul>
    </div>
  )
}

/** Placeholders of the same size as the cards to come. */
export function FavoritesSkeleton() {
  return (
    <div className={styles.wait} role="status" aria-label="Loading">
      {[1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1].map(opacity => (
        <div key={opacity} style={{ opacity }}>
          <div className={styles.waitPicture} />
          <div className={styles.bar} />
        </div>
      ))}
    </div>
  )
}
