/** All files of the preview as thumbnails, windowed: only those in view are rendered. */
import { UnstyledButton } from '@mantine/core'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { ItemIcon } from '../items/item-icon.tsx'
import { thumbnailUrl } from '../lib/data/thumbnails.ts'
import styles from './film-strip.module.css'
import type { ViewedFile } from './viewed-file.ts'

interface FilmStripProps {
  files: readonly ViewedFile[]
  index: number
  onGo: (index: number) => void
}

/** Pixels from one thumbnail to the next. */
const pitch = 66
const padding = 16

export function FilmStrip({ files, index, onGo }: FilmStripProps) {
  const scroller = useRef<HTMLElement>(null)
  const virtualizer = useVirtualizer({
    horizontal: true,
    count: files.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => pitch,
    paddingStart: padding,
    paddingEnd: padding,
    overscan: 6,
  })
  useEffect(() => virtualizer.scrollToIndex(index, { align: 'center' }), [virtualizer, index])
  return (
    <nav
      ref={scroller}
      className={styles.strip}
      aria-label="Files"
      onWheel={({ deltaY, currentTarget }) => {
        currentTarget.scrollLeft += deltaY
      }}
    >
      <div className={styles.film} style={{ width: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index: at, start }) => {
          const item = files[at]
          return (
            item && (
              <UnstyledButton
                key={item.id}
                className={styles.frame}
                style={{ transform: `translateX(${start}px)` }}
                aria-label={item.name}
                title={item.name}
                aria-current={at === index}
                tabIndex={at === index ? 0 : -1}
                onClick={() => onGo(at)}
              >
                <Thumb item={item} />
              </UnstyledButton>
            )
          )
        })}
      </div>
    </nav>
  )
}

function Thumb({ item }: { item: ViewedFile }) {
  const [isBroken, setBroken] = useState(false)
  const picture = thumbnailUrl(item)
  if (picture === null || isBroken) return <ItemIcon item={{ ...item, thumbnail_path: null }} size={28} />
  return <img src={picture} alt="" className={styles.picture} draggable={false} onError={() => setBroken(true)} />
}
