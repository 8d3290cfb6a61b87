/** The rows of shares or links: a windowed table. */
import { VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import type { MenuPlace } from '../../ui/menu-props.ts'
import { useFocusHeir } from '../../ui/use-focus-heir.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { useRowHeight } from '../../ui/use-row-height.ts'
import { useRowWindow } from '../../ui/use-row-window.ts'
import type { Look, RowActs } from './look.ts'
import styles from './shared-list.module.css'

interface SharedListProps<Row> {
  rows: readonly Row[]
  /** Whether there are more than these rows. */
  hasMore: boolean
  look: Look<Row>
  /** The table's name. */
  label: string
  acts: RowActs<Row>
  onNearEnd: () => void
}

export function SharedList<Row extends { id: number }>(props: SharedListProps<Row>) {
  const { rows, hasMore, look, label, acts, onNearEnd } = props
  const scroller = useRef<HTMLDivElement>(null)
  const [menu, setMenu] = useState<{ row: Row; place: MenuPlace; from: Element | null } | null>(null)
  const isPhone = usePhone()
  const rowHeight = useRowHeight(64)
  const window = useRowWindow({ count: rows.length, rowHeight, scroller, onNearEnd })
  const Cells = isPhone ? look.Phone : look.Desktop
  const focusNext = useFocusHeir(scroller, rows)
  const openMenu = (row: Row, place: MenuPlace) => setMenu({ row, place, from: document.activeElement })
  return (
    <>
      <div
        className={`${styles.table} ${look.className ?? ''}`}
        role="table"
        aria-label={label}
        aria-rowcount={hasMore ? -1 : rows.length + 1}
        onKeyDown={event => stepRows(event, window.scrollTo)}
      >
        {!isPhone && <ListHead heads={look.heads} />}
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
                    aria-label={look.nameOf(row)}
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
        label={`Actions for ${menu === null ? '' : look.nameOf(menu.row)}`}
        onClose={() => {
          setMenu(null)
          if (menu?.from instanceof HTMLElement) menu.from.focus()
        }}
      />
    </>
  )
}

const ListHead = ({ heads }: { heads: readonly string[] }) => (
  <div className={styles.head} role="row" aria-rowindex={1}>
    {heads.map(head => (
      <span key={head} role="columnheader">
        {head}
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
