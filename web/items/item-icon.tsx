/** The icon before an item's name: a filled folder, a picture's own thumbnail, or the kind on a tile of its colour. */
import { IconFolderFilled } from '@tabler/icons-react'
import { useState } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { fileKind } from '../../src/api/kinds.ts'
import { thumbnailUrl } from '../lib/thumbnails.ts'
import styles from './item-icon.module.css'
import { kindLooks } from './kinds.ts'

interface ItemIconProps {
  item: Pick<FileItem, 'is_directory' | 'mime_type'> & Partial<Pick<FileItem, 'id' | 'thumbnail_path' | 'updated_at'>>
  /** Pixels: 24, on a phone 36. */
  size: number
}

export function ItemIcon({ item, size }: ItemIconProps) {
  const [isBroken, setBroken] = useState(false)
  const box = { width: size, height: size, borderRadius: size / 5 }
  if (item.is_directory) {
    return (
      <span className={styles.folder} style={box}>
        <IconFolderFilled size={(size * 11) / 12} aria-hidden />
      </span>
    )
  }
  const picture = thumbnailUrl(item)
  if (picture !== null && !isBroken) {
    // `alt` is empty: the name stands beside it.
    return (
      <img
        src={picture}
        alt=""
        width={size}
        height={size}
        className={styles.picture}
        style={box}
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setBroken(true)}
      />
    )
  }
  const kind = fileKind(item.mime_type)
  const { icon: Glyph } = kindLooks[kind]
  return (
    <span className={styles.tile} style={{ ...box, color: `var(--fs-k-${kind})` }} aria-hidden>
      {Glyph === null ? <PdfGlyph size={size} /> : <Glyph size={Math.round((size * 5) / 8)} stroke={1.75} />}
    </span>
  )
}

/** The three letters, drawn: as text they would be read out before each name. */
function PdfGlyph({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <text x="12" y="14.9" className={styles.word}>
        PDF
      </text>
    </svg>
  )
}
