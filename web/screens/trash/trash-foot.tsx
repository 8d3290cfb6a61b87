/** How many items there are, by type as far as they are loaded. */
import type { FileItem } from '../../../src/api/items.ts'
import { folderAndFileCount, itemCount } from '../../items/counts.ts'
import styles from './trash-foot.module.css'

export function TrashFoot({ items, total }: { items: readonly FileItem[]; total: number }) {
  const folders = items.filter(item => item.is_directory).length
  return (
    <footer className={styles.foot}>
      <span className={styles.total}>{itemCount(total)}</span>
      {items.length === total && <span>{folderAndFileCount(folders, total - folders)}</span>}
    </footer>
  )
}
