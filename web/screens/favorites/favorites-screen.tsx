/** The favourite files and folders. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { useCardMenu } from '../../items/actions/use-card-menu.tsx'
import { useItemActions } from '../../items/actions/use-item-actions.tsx'
import { useProblem } from '../../items/actions/use-problem.ts'
import { favoriteAct } from '../../items/acts/item-acts.tsx'
import { perform } from '../../items/acts/perform.tsx'
import { PrintedItems } from '../../items/print/printed-items.tsx'
import { favoritesQuery } from '../../lib/data/favorites.ts'
import { totalOf } from '../../lib/data/paging.ts'
import { useLoadMore } from '../../lib/data/use-load-more.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { StarDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { FavoritesGrid, FavoritesSkeleton } from './favorites-grid.tsx'
import styles from './favorites-screen.module.css'

const noItems: FileItem[] = []
const nothing = () => undefined

export function FavoritesScreen() {
  const query = useInfiniteQuery(favoritesQuery)
  const { data, error, errorUpdateCount } = query
  const [dismissed, setDismissed] = useState(0)
  const [problem, setProblem] = useProblem()
  const isWaiting = useDelayed(query.isPending, 150)
  const items = data?.pages.flatMap(page => page.files) ?? noItems
  const loadMore = useLoadMore(query)
  const actions = useItemActions(items, nothing)
  const menu = useCardMenu(actions)

  const remove = (item: FileItem) => {
    setProblem(null)
    void perform({ ...favoriteAct([item]), failure: 'Failed to remove favorite' }, setProblem)
  }
  return (
    <Sheet title="Favorites">
      <div className={styles.head}>
        <ScreenTitle count={data?.pages[0]?.total}>Favorites</ScreenTitle>
      </div>
      {error && errorUpdateCount > dismissed && (
        <ErrorStrip
          title="Failed to load favorites"
          reason={reasonOf(error)}
          onRetry={() => void query.refetch()}
          onDismiss={() => setDismissed(errorUpdateCount)}
        />
      )}
      {problem && <ErrorStrip {...problem} onDismiss={() => setProblem(null)} />}
      {actions.problem && <ErrorStrip {...actions.problem} onDismiss={actions.dismissProblem} />}
      {isWaiting && <FavoritesSkeleton />}
      {data && items.length === 0 && (
        <EmptyState
          drawing={<StarDrawing />}
          title="No favorites yet"
          sentence="Star a file or folder in its list or menu to find it here"
        />
      )}
      <PrintedItems
        listing={{
          items,
          total: totalOf(items.length, data?.pages.at(-1)),
          loadMore,
          isStuck: query.isFetchNextPageError,
        }}
        isMixed
      />
      {items.length > 0 && (
        <FavoritesGrid
          items={items}
          onRemove={remove}
          onDownload={item => actions.download([item])}
          onPreview={actions.preview}
          menu={menu}
          onNearEnd={loadMore}
        />
      )}
      {menu.menu}
      {actions.dialogs}
    </Sheet>
  )
}
