/** The foot of a folder: how much stands in it, and where it is. */
import { folderAndFileCount, itemCount } from '../../items/counts.ts'
import styles from './footer.module.css'

interface FooterProps {
  /** Null while it is unknown. */
  counts: { total: number; folders: number } | null
  path: string
}

export function Footer({ counts, path }: FooterProps) {
  return (
    <footer className={styles.footer}>
      {counts === null ? (
        <span className={styles.bar} />
      ) : (
        <>
          <span className={styles.total}>{itemCount(counts.total)}</span>
          <span>{folderAndFileCount(counts.folders, counts.total - counts.folders)}</span>
        </>
      )}
      <span className={styles.path} title={path} dir="auto">
        {path}
      </span>
    </footer>
  )
}
