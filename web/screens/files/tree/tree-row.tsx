/** One row of the folder tree: a link to a folder, or a placeholder for folders that are still loading. */
import { Button } from '@mantine/core'
import { IconChevronDown, IconChevronRight, IconFolder, IconFolderOpen, IconHome } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentPropsWithoutRef, MouseEvent } from 'react'
import { useEffect, useState } from 'react'
import { listOf } from '../../../items/place-routes.ts'
import { loadMoreSubfolders, subfoldersQuery } from '../../../lib/data/subfolders.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { closeInTree, openInTree } from './open-folders.ts'
import styles from './tree-row.module.css'
import type { FolderRow, StandIn } from './tree-rows.ts'

/** Attributes that the tree sets on every row. */
type RowProps = Pick<ComponentPropsWithoutRef<'a'>, 'style' | 'tabIndex' | 'onFocus'> & { 'data-index': number }

type FolderEntryProps = RowProps & { row: FolderRow; isCurrent: boolean } & Pick<
    ComponentPropsWithoutRef<'a'>,
    'draggable' | 'onClick' | 'onContextMenu' | 'onDragStart' | 'onDragEnd' | 'onDragOver' | 'onDragLeave' | 'onDrop'
  > & { 'data-over'?: true; 'data-menu'?: true }

export function FolderEntry({ row, isCurrent, ...rest }: FolderEntryProps) {
  const { id, name, place, isOpen, canOpen } = row
  const isPhone = usePhone()
  const folder = isOpen || isCurrent ? IconFolderOpen : IconFolder
  const Glyph = id === null ? IconHome : place?.id === id ? listOf(place).icon : folder
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  const toggle = (event: MouseEvent) => {
    // The surrounding row is a link.
    event.preventDefault()
    event.stopPropagation()
    if (isOpen) closeInTree(id)
    else openInTree([id])
  }
  return (
    <Link
      {...rest}
      to="/files/{-$folderId}"
      params={{ folderId: id === null ? undefined : String(id) }}
      activeOptions={{ exact: true }}
      role="treeitem"
      className={styles.row}
      title={name}
      aria-level={row.depth + 1}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={canOpen ? isOpen : undefined}
      aria-selected={isCurrent}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {canOpen ? (
        // The keyboard has its own ways to open and close.
        // biome-ignore lint/a11y: a part of the row for the pointer alone
        <span className={styles.chevron} onClick={toggle}>
          <Chevron size={isPhone ? 18 : 14} stroke={1.75} aria-hidden />
        </span>
      ) : (
        <span className={styles.chevron} />
      )}
      <Glyph size={isPhone ? 20 : 16} stroke={1.75} className={styles.icon} aria-hidden />
      <span className={styles.name} dir="auto">
        {name}
      </span>
    </Link>
  )
}

/** Widths of the placeholders in percent, repeated in turn. */
const barWidths = [46, 32, 54, 38]

export function StandInEntry({ row, ...rest }: RowProps & { row: StandIn }) {
  const { failed, load } = useMissing(row)
  if (failed) {
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the tree turns Space and Enter into clicks
      <div
        {...(rest as ComponentPropsWithoutRef<'div'>)}
        role="treeitem"
        className={`${styles.row} ${styles.failed}`}
        aria-level={row.depth + 1}
        aria-selected={false}
        onClick={load}
      >
        <span className={styles.name}>Failed to load folders</span>
        <Button variant="subtle" size="xs" className={styles.retry}>
          Retry
        </Button>
      </div>
    )
  }
  if (row.kind === 'none') {
    return (
      <p role="none" style={rest.style} className={`${styles.row} ${styles.none}`}>
        No folders yet
      </p>
    )
  }
  const width = `${barWidths[rest['data-index'] % barWidths.length]}%`
  return (
    <div style={rest.style} className={`${styles.row} ${styles.waiting}`} aria-hidden>
      <span className={styles.square} />
      <span className={styles.bar} style={{ width }} />
    </div>
  )
}

/** Loads the next page once its placeholder is in view. A failed page waits for a retry. */
function useMissing({ kind, parentId }: StandIn): { failed: boolean; load: () => void } {
  const cache = useQueryClient()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (kind === 'more' && !failed) void loadMoreSubfolders(parentId).catch(() => setFailed(true))
  }, [kind, parentId, failed])
  if (kind === 'more') return { failed, load: () => setFailed(false) }
  const load = () => void cache.refetchQueries({ queryKey: subfoldersQuery(parentId).queryKey })
  return { failed: kind === 'failed', load }
}
