/** The foot of a folder: the number of items, and its path. */
import { memo } from 'react'
import { folderAndFileCount, heldWords, itemCount } from '../../items/counts.ts'
import { MiddleText } from '../../ui/middle-text.tsx'
import styles from './footer.module.css'

/** How many characters at a path's end are never cut. */
const keptEnd = 40

function splitPath(path: string): { head: string; tail: string } {
  const start = Math.max(path.lastIndexOf('/'), path.length - keptEnd)
  return { head: path.slice(0, start), tail: path.slice(start) }
}

interface FooterProps {
  /** Null while it is unknown. */
  counts: { total: number; folders: number } | null
  /** How many files of others wait here for approval; null if the user is not told. */
  held: number | null
  path: string
}

export const Footer = memo(function Footer({ counts, held, path }: FooterProps) {
  return (
    <footer className={styles.footer}>
      {counts === null ? (
        <span className={styles.bar} />
      ) : (
        <>
          <span className={styles.total}>{itemCount(counts.total)}</span>
          <span>{folderAndFileCount(counts.folders, counts.total - counts.folders)}</span>
          {held !== null && held > 0 && <span className={styles.held}>{heldWords(held)}</span>}
        </>
      )}
      <span className={styles.path} title={path}>
        <MiddleText {...splitPath(path)} />
      </span>
    </footer>
  )
})
