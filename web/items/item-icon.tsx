/** The icon before an item's name: a folder, a picture's thumbnail, or the type on a coloured tile. */
import { IconFolderFilled } from '@tabler/icons-react'
import { useState } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { fileKind } from '../../src/api/kinds.ts'
import { thumbnailUrl } from '../lib/data/thumbnails.ts'
import styles from './item-icon.module.css'
import { kindLooks } from './kinds.ts'

interface ItemIconProps {
  item: Pick<FileItem, 'is_directory' | 'mime_type'> & Partial<Pick<FileItem, 'id' | 'thumbnail_path' | 'updated_at'>>
  /** Pixels: 24, or 36 on a phone. */
  size: number
}

const pdfLetters =
  'M4.7 14.9V9.08H6.97Q7.63 9.08 8.1 9.33Q8.56 9.58 8.81 10.03Q9.05 10.47 9.05 11.05Q9.05 11.62 8.8 12.06Q8.55 12.5 ' +
  '8.08 12.75Q7.61 13 6.94 13H5.48V12.04H6.75Q7.12 12.04 7.35 11.91Q7.59 11.78 7.7 11.56Q7.82 11.34 7.82 11.05Q7.82 ' +
  '10.75 7.7 10.53Q7.59 10.31 7.35 10.19Q7.11 10.06 6.75 10.06H5.89V14.9ZM11.93 14.9H10.42V13.87H11.87Q12.43 13.87 ' +
  '12.81 13.67Q13.19 13.48 13.39 13.06Q13.58 12.64 13.58 11.99Q13.58 11.34 13.39 10.92Q13.19 10.5 12.81 10.31Q12.44 ' +
  '10.11 11.88 10.11H10.39V9.08H11.95Q12.83 9.08 13.46 9.43Q14.09 9.78 14.43 10.43Q14.77 11.08 14.77 11.99Q14.77 ' +
  '12.89 14.43 13.55Q14.09 14.2 13.45 14.55Q12.81 14.9 11.93 14.9ZM11.07 9.08V14.9H9.88V9.08ZM15.66 ' +
  '14.9V9.08H19.49V10.07H16.85V11.69H19.23V12.67H16.85V14.9Z'

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
    // `alt` is empty because the name is next to it.
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

/**
 * The letters PDF as outlines of the page's font (weight 700). As text, screen readers would read them before each
 * name, and the browser would lay them out again in every row of a long list.
 */
function PdfGlyph({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="currentColor" aria-hidden="true">
      <path d={pdfLetters} />
    </svg>
  )
}
