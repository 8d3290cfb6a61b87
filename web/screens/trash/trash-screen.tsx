/** The Trash: what was deleted, how long it stays, and the way back. */

import { IconClock } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { folderAndFileCount, itemCount } from '../../items/counts.ts'
import { messageOf, reasonOf } from '../../lib/call.ts'
import { pageConfig } from '../../lib/config.ts'
import { formatSize } from '../../lib/format-size.ts'
import { restoreItems, trashItems } from '../../lib/item-changes.ts'
import { trashQuery } from '../../lib/trash.ts'
import { TrashDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { SkeletonRows } from '../../ui/skeleton-rows.tsx'
import { showError, showToast } from '../../ui/toast.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { TrashList } from './trash-list.tsx'
import styles from './trash-screen.module.css'

const noItems: FileItem[] = []

/** Where a restored item is now: the path of the folder that holds it. */
const placeOf = (item: FileItem): string => item.path.slice(0, item.path.lastIndexOf('/')) || '/'

async function restore(item: FileItem): Promise<void> {
  try {
    const restored = await restoreItems([item])
    if (restored === undefined) return
    showToast({
      tone: 'success',
      message: (
        <>
          <strong>{restored.name}</strong> was restored to {placeOf(restored)}
        </>
      ),
      action: { label: 'Undo', run: () => void trashAgain(restored) },
    })
  } catch (error) {
    showError(messageOf(error, 'Failed to restore item'))
  }
}

async function trashAgain(item: FileItem): Promise<void> {
  const { failed, error } = await trashItems([item])
  if (failed.length > 0) showError(messageOf(error, 'Failed to move to trash'))
}

export function TrashScreen() {
  const query = useInfiniteQuery(trashQuery)
  const { data, error, errorUpdateCount, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const [dismissed, setDismissed] = useState(0)
  const isWaiting = useDelayed(query.isPending, 150)
  const items = data?.pages.flatMap(page => page.files) ?? noItems
  const loadMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  return (
    <Sheet title="Trash">
      <div className={styles.head}>
        <ScreenTitle count={data?.pages[0]?.total}>Trash</ScreenTitle>
        <Notice items={items} isWhole={!hasNextPage} />
      </div>
      {error && errorUpdateCount > dismissed && (
        <ErrorStrip
          title="Failed to load trash"
          reason={reasonOf(error)}
          onRetry={() => void query.refetch()}
          onDismiss={() => setDismissed(errorUpdateCount)}
        />
      )}
      {isWaiting && <SkeletonRows />}
      {data && items.length === 0 && (
        <EmptyState
          drawing={<TrashDrawing />}
          title="Trash is empty"
          sentence="What you delete can be restored from here"
        />
      )}
      {items.length > 0 && <TrashList items={items} onRestore={item => void restore(item)} onNearEnd={loadMore} />}
      {data && <Foot items={items} total={data.pages[0]?.total ?? items.length} />}
    </Sheet>
  )
}

/** What the items take is known only while all are listed and none is a folder, which may hold any amount. */
function Notice({ items, isWhole }: { items: readonly FileItem[]; isWhole: boolean }) {
  const isKnown = isWhole && items.every(item => !item.is_directory)
  const bytes = isKnown ? items.reduce((sum, { size }) => sum + size, 0) : 0
  return (
    <p className={styles.notice}>
      <IconClock size={16} stroke={1.75} aria-hidden />
      <span>
        Items in trash will be permanently deleted after {pageConfig.trash_retention_days} days.
        {bytes > 0 && <span className={styles.aside}>They use {formatSize(bytes)} of your storage until then.</span>}
      </span>
    </p>
  )
}

function Foot({ items, total }: { items: readonly FileItem[]; total: number }) {
  const folders = items.filter(item => item.is_directory).length
  return (
    <footer className={styles.foot}>
      <span className={styles.total}>{itemCount(total)}</span>
      {items.length === total && <span>{folderAndFileCount(folders, total - folders)}</span>}
    </footer>
  )
}
