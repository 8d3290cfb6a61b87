/** The rows of the tag screen. */
import { VisuallyHidden } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import type { Tag } from '../../../src/api/tags.ts'
import { fileCount } from '../../items/counts.ts'
import { TagDot } from '../../items/tag-chip.tsx'
import { TagLink } from '../../items/tag-link.tsx'
import { useMay } from '../../lib/server/permissions.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { useRowHeight } from '../../ui/use-row-height.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import styles from './tag-table.module.css'

interface TagTableProps {
  tags: readonly Tag[]
  mayWrite: boolean
  onEdit: (tag: Tag) => void
  onDelete: (tag: Tag) => void
}

const nothing = () => undefined

export function TagTable({ tags, ...acts }: TagTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = useRowHeight()
  const { rows, height } = useRowWindow({ count: tags.length, rowHeight, scroller, onNearEnd: nothing })
  return (
    <div className={styles.table} role="table" aria-label="Tags" aria-rowcount={tags.length + 1}>
      <Head />
      <div ref={scroller} className={styles.scroller} role="rowgroup">
        <div className={styles.rows} style={{ height }} role="presentation">
          {rows.map(({ index, start }) => {
            const tag = tags[index]
            return (
              tag && (
                <div
                  key={tag.id}
                  role="row"
                  aria-rowindex={index + 2}
                  aria-label={tag.name}
                  className={styles.row}
                  style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                >
                  <Cells tag={tag} {...acts} />
                </div>
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}

function Head() {
  return (
    <div className={styles.head} role="row" aria-rowindex={1}>
      <span role="columnheader">Name</span>
      <span role="columnheader">Files</span>
      <span role="columnheader">
        <VisuallyHidden>Actions</VisuallyHidden>
      </span>
    </div>
  )
}

function Cells({ tag, mayWrite, onEdit, onDelete }: { tag: Tag } & Omit<TagTableProps, 'tags'>) {
  const isPhone = usePhone()
  const maySearch = useMay('files:search')
  const look = isPhone ? ({ size: 'lg', iconSize: 20 } as const) : {}
  return (
    <>
      <div role="cell" className={styles.name} title={tag.name}>
        <TagDot tag={tag} />
        <span className={styles.text} dir="auto">
          {maySearch ? <TagLink tag={tag} /> : tag.name}
        </span>
      </div>
      <div role="cell" className={styles.files}>
        {isPhone ? fileCount(tag.file_count) : tag.file_count.toLocaleString('en-US')}
      </div>
      <div role="cell" className={styles.actions}>
        {mayWrite && (
          <>
            <IconButton label={`Edit ${tag.name}`} icon={IconPencil} {...look} onClick={() => onEdit(tag)} />
            <IconButton label={`Delete ${tag.name}`} icon={IconTrash} {...look} onClick={() => onDelete(tag)} />
          </>
        )}
      </div>
    </>
  )
}

/** Placeholders of the same size as the rows to come. */
export function TagTableSkeleton() {
  return (
    <div className={styles.table} role="status" aria-label="Loading">
      <div className={styles.wait}>
        {[88, 120, 72, 104, 64, 96].map((width, index) => (
          <div key={width} className={styles.waitRow} style={{ opacity: 1 - index / 6 }}>
            <span className={styles.bar} style={{ width }} />
          </div>
        ))}
      </div>
    </div>
  )
}
