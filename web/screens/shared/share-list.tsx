/** The rows of shares: a windowed table. */
import { VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import type { MenuPlace } from '../../ui/menu-props.ts'
import { useFocusHeir } from '../../ui/use-focus-heir.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { useRowHeight } from '../../ui/use-row-height.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import { DesktopCells, PhoneCells } from './share-cells.tsx'
import styles from './share-list.module.css'
import type { ShareActs, ShareRow } from './share-row.ts'

interface ShareListProps {
  rows: readonly ShareRow[]
  /** Whether there are more than these rows. */
  hasMore: boolean
  /** The head of the column that names who shares, or with whom. */
  whoHead: 'From' | 'With'
  /** The table's name. */
  label: string
  acts: ShareActs
  onNearEnd: () => void
}

export function ShareList({ rows, hasMore, whoHead, label, acts, onNearEnd }: ShareListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<{ row: ShareRow; place: MenuPlace; from: Element | null } | null>(null)
  const isPhone = usePhone()
  const rowHeight = useRowHeight(64)
  const window = useRowWindow({ count: rows.length, rowHeight, scroller, onNearEnd })
  const Cells = isPhone ? PhoneCells : DesktopCells
  const focusNext = useFocusHeir(scroller, rows)
  const openMenu = (row: ShareRow, place: MenuPlace) => setMenu({ row, place, from: document.activeElement })
  return (
    <>
      <div
        className={styles.table}
        role="table"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        onKeyDown={event => stepRows(event, window.scrollTo)}
      >
        {!isPhone && <ShareHead whoHead={whoHead} />}
        <div ref={scroller} className={styles.scroller} role="rowgroup">
          <div className={styles.rows} style={{ height: window.height }} role="presentation">
            {window.rows.map(({ index, start }) => {
              const row = rows[index]
              return (
                row && (
                  <div
                    key={row.id}
                    role="row"
                    aria-rowindex={index + 2}
                    aria-label={row.item.name}
                    data-index={index}
                    data-file={row.id}
                    data-menu={menu?.row.id === row.id || undefined}
                    className={styles.row}
                    style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                    onContextMenu={event => {
                      event.preventDefault()
                      openMenu(row, { x: event.clientX, y: event.clientY, width: 0, height: 0 })
                    }}
                  >
                    <Cells row={row} onOpen={() => acts.open(row)} onMenu={place => openMenu(row, place)} />
                  </div>
                )
              )
            })}
          </div>
        </div>
      </div>
      <ActionMenu
        place={menu?.place ?? null}
        groups={menu === null ? [] : acts.menuOf(menu.row, () => focusNext(menu.row))}
        label={`Actions for ${menu?.row.item.name ?? ''}`}
        onClose={() => {
          setMenu(null)
          if (menu?.from instanceof HTMLElement) menu.from.focus()
        }}
      />
    </>
  )
}

const shareColumns = (whoHead: 'From' | 'With') => ['Name', whoHead, 'Access', 'Since', 'Until'] as const

const ShareHead = ({ whoHead }: Pick<ShareListProps, 'whoHead'>) => (
  <div className={styles.head} role="row" aria-rowindex={1}>
    {shareColumns(whoHead).map(column => (
      <span key={column} role="columnheader">
        {column}
      </span>
    ))}
    <span role="columnheader">
      <VisuallyHidden>Actions</VisuallyHidden>
    </span>
  </div>
)

/** The arrow keys go from a row to the one above or below. */
function stepRows(event: KeyboardEvent<HTMLElement>, scrollTo: (index: number) => void): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const from = (event.target as Element).closest('[data-index]')?.getAttribute('data-index')
  if (step === undefined || from == null) return
  event.preventDefault()
  const to = Number(from) + step
  const link = event.currentTarget.querySelector<HTMLElement>(`[data-index="${to}"] a`)
  if (link === null) return
  scrollTo(to)
  link.focus({ preventScroll: true })
}
