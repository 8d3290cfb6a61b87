/** The files that changed last, by day. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import type { Problem } from '../../items/actions/use-problem.ts'
import { PhoneSort } from '../../items/list/head/phone-sort.tsx'
import { ItemList } from '../../items/list/item-list.tsx'
import { ListPane } from '../../items/list/list-pane.tsx'
import type { Listing } from '../../items/list/listing.ts'
import { RefreshButton } from '../../items/list/refresh-button.tsx'
import { isSelecting, PhoneSelectionBottom, PhoneSelectionTop } from '../../items/list/selection/phone-selection.tsx'
import { itemActs } from '../../items/list/selection/selection-acts.ts'
import { useListState } from '../../items/list/use-list-state.ts'
import { usePages } from '../../items/list/use-pages.ts'
import { recentQuery } from '../../lib/data/recent.ts'
import { formatPeriod } from '../../lib/words/format-date.ts'
import { ClockDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './recent-screen.module.css'

const noItems: readonly FileItem[] = []
const nothing = () => undefined
const periodOf = ({ updated_at }: FileItem): string => formatPeriod(updated_at)

export function RecentScreen() {
  const query = useInfiniteQuery(recentQuery)
  const { isWaiting, problem, dismiss, reload, loadMore, isStuck } = usePages(query, 'Failed to load recent files')
  const { data } = query
  const listing = useMemo((): Listing => {
    const items = data?.pages.flatMap(({ files }) => files) ?? noItems
    const hasMore = data?.pages.at(-1)?.next_cursor != null
    return { items, total: items.length + (hasMore ? 1 : 0), folders: 0, loadMore, isStuck }
  }, [data, loadMore, isStuck])
  return <RecentView {...{ listing, isWaiting, problem, dismiss, reload }} isKnown={data !== undefined} />
}

interface RecentViewProps {
  listing: Listing
  isWaiting: boolean
  isKnown: boolean
  problem: Problem | null
  dismiss: () => void
  reload: () => Promise<unknown>
}

function RecentView({ listing, isWaiting, isKnown, problem, dismiss, reload }: RecentViewProps) {
  const isPhone = usePhone()
  const state = useListState(listing, null)
  const { actions } = state
  return (
    <Sheet title="Recent">
      {isPhone && isSelecting(state) ? (
        <PhoneSelectionTop {...state} />
      ) : (
        <div className={styles.head}>
          <ScreenTitle action={<RefreshButton onRefresh={reload} />}>Recent</ScreenTitle>
        </div>
      )}
      {problem && <ErrorStrip {...problem} onRetry={reload} onDismiss={dismiss} />}
      {actions.problem && <ErrorStrip {...actions.problem} onDismiss={actions.dismissProblem} />}
      {isPhone && <PhoneSort middle="location" isSortable={false} />}
      <ListPane state={state} folder={null}>
        <ItemList
          state={state}
          middle="location"
          isSortable={false}
          isWaiting={isWaiting}
          isStale={false}
          groupOf={periodOf}
          empty={isKnown && <NoFiles />}
          onOpenFolder={nothing}
        />
      </ListPane>
      {isPhone && isSelecting(state) && (
        <PhoneSelectionBottom selection={state.selection} acts={itemActs(state.actions, state.selection.items)} />
      )}
      {actions.dialogs}
    </Sheet>
  )
}

const NoFiles = () => (
  <EmptyState
    drawing={<ClockDrawing />}
    title="No files yet"
    sentence="Files that you or others in your team folders add or change appear here"
  />
)
