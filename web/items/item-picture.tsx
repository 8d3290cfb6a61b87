/** An item's picture, filling its box: a thumbnail, else a folder or the type on its colour. */
import { IconFolderFilled } from '@tabler/icons-react'
import { useState } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { fileKind } from '../../src/api/kinds.ts'
import { thumbnailUrl } from '../lib/data/thumbnails.ts'
import styles from './item-picture.module.css'
import { kindLooks } from './kinds.ts'

type Pictured = Pick<FileItem, 'id' | 'is_directory' | 'mime_type' | 'thumbnail_path' | 'updated_at'>

/** Decorative, because the name is next to it. */
export function ItemPicture({ item }: { item: Pictured }) {
  const picture = thumbnailUrl(item)
  const [brokenPicture, setBroken] = useState<string | null>(null)
  if (item.is_directory) {
    return (
      <span className={styles.folder} aria-hidden>
        <IconFolderFilled size={48} />
      </span>
    )
  }
  if (picture !== null && picture !== brokenPicture) {
    return (
      <img
        src={picture}
        alt=""
        className={styles.picture}
        loading="lazy"
        decoding="async"
        draggable={false}
        onError={() => setBroken(picture)}
      />
    )
  }
  const kind = fileKind(item.mime_type)
  const { icon: Glyph } = kindLooks[kind]
  return (
    <span className={styles.tile} style={{ color: `var(--fs-k-${kind})` }} aria-hidden>
      {Glyph === null ? <span className={styles.word}>PDF</span> : <Glyph size={40} stroke={1.5} />}
    </span>
  )
}
