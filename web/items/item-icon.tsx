/** The icon before an item's name: a filled folder, or the file's kind on a tile of its colour. */
import { IconFolderFilled } from '@tabler/icons-react'
import { fileKind } from '../../src/api/kinds.ts'
import styles from './item-icon.module.css'
import { kindLooks } from './kinds.ts'

interface ItemIconProps {
  item: { is_directory: boolean; mime_type: string | null }
  /** Pixels: 24, on a phone 36. */
  size: number
}

export function ItemIcon({ item, size }: ItemIconProps) {
  const box = { width: size, height: size, borderRadius: size / 5 }
  if (item.is_directory) {
    return (
      <span className={styles.folder} style={box}>
        <IconFolderFilled size={(size * 11) / 12} aria-hidden />
      </span>
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
