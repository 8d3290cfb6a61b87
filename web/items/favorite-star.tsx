/** The star of a favourite. */
import { IconStarFilled } from '@tabler/icons-react'
import styles from './favorite-star.module.css'

export function FavoriteStar({ size = 14 }: { size?: number }) {
  return (
    <span className={styles.star} role="img" aria-label="Favorite" title="Favorite">
      <IconStarFilled size={size} aria-hidden />
    </span>
  )
}
