/** The tags in the tag manager, with the number of selected files that have each. */
import { useEffect, useRef } from 'react'
import type { Tag } from '../../src/api/tags.ts'
import { Check } from '../ui/check.tsx'
import { useDelayed } from '../ui/use-delayed.ts'
import { usePhone } from '../ui/use-phone.ts'
import { useRowWindow } from '../ui/use-row-window.ts'
import { TagDot } from './tag-chip.tsx'
import styles from './tag-rows.module.css'
import type { TagChoice } from './use-tag-choice.ts'

interface TagRowsProps {
  /** By name; undefined while loading. */
  tags: readonly Tag[] | undefined
  /** Part of a name. */
  filter: string
  /** The tag to scroll into view. */
  shownId: number | null
  choice: TagChoice
}

const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
const nothing = () => undefined

export function TagRows({ tags, filter, shownId, choice }: TagRowsProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rowHeight = usePhone() ? 48 : 36
  const isWaiting = useDelayed(tags === undefined, 150)
  const shown = (tags ?? []).filter(({ name }) => fold(name).includes(fold(filter.trim())))
  const { rows, height, scrollTo } = useRowWindow({
    count: shown.length,
    rowHeight,
    scroller,
    onNearEnd: nothing,
  })
  const shownIndex = shown.findIndex(({ id }) => id === shownId)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the tag that is to be shown moves the list
  useEffect(() => {
    if (shownIndex >= 0) scrollTo(shownIndex)
  }, [shownId, shownIndex])

  return (
    <div ref={scroller} className={styles.scroller}>
      {isWaiting && <Skeleton />}
      {tags !== undefined && shown.length === 0 && (
        <p className={styles.none}>
          {tags.length === 0
            ? 'No tags yet. Create the first one below.'
            : `No tag's name contains “${filter.trim()}”.`}
        </p>
      )}
      <fieldset className={styles.rows} style={{ height }} aria-label="Tags">
        {rows.map(({ index, start }) => {
          const tag = shown[index]
          const note = tag ? choice.noteOf(tag.id) : ''
          return (
            tag && (
              // biome-ignore lint/a11y/noLabelWithoutControl: the check is its control
              <label
                key={tag.id}
                className={styles.row}
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                title={tag.name}
              >
                <Check
                  label={note === '' ? tag.name : `${tag.name}, ${note}`}
                  checked={choice.shareOf(tag.id) === 'all'}
                  indeterminate={choice.shareOf(tag.id) === 'some'}
                  onChange={() => choice.toggle(tag.id)}
                />
                <TagDot tag={tag} />
                <span className={styles.name} dir="auto" aria-hidden>
                  {tag.name}
                </span>
                <span className={styles.note} aria-hidden>
                  {note}
                </span>
              </label>
            )
          )
        })}
      </fieldset>
    </div>
  )
}

function Skeleton() {
  return (
    <div role="status" aria-label="Loading">
      {[72, 104, 56, 88].map((width, index) => (
        <div key={width} className={styles.wait} style={{ opacity: 1 - index / 4 }}>
          <span className={styles.box} />
          <span className={styles.bar} style={{ width }} />
        </div>
      ))}
    </div>
  )
}
