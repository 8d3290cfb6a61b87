/** A screen of files from many folders in an order of their own, page by page. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { PhoneSort } from './head/phone-sort.tsx'
import { ItemList } from './item-list.tsx'
import { ListPane } from './list-pane.tsx'
import styles from './list-screen.module.css'
import type { Listing } from './listing.ts'
import { RefreshButton } from './refresh-button.tsx'
import { isSelecting, PhoneSelectionBottom, PhoneSelectionTop } from './selection/phone-selection.tsx'
import { itemActs } from './selection/selection-acts.ts'
import { useListState } from './use-list-state.ts'
import { usePages } from './use-pages.ts'

interface Page {
  files: FileItem[]
  next_cursor: string | null
}

interface ListScreenProps {
  title: string
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  /** The title of an error. */
  failure: string
  /** Shown when there are no files. */
  empty: ReactNode
  /** Beside the title; on a phone below it. */
  choice?: ReactNode
  /** A line below the title. */
  note?: ReactNode
  /** The heading of an item's group; must stay the same function. */
  groupOf?: (item: FileItem) => string
}

const noItems: readonly FileItem[] = []
const nothing = () => undefined

export function ListScreen({ title, query, failure, empty, choice, note, groupOf }: ListScreenProps) {
  const { isWaiting, isStale, problem, dismiss, reload, loadMore, isStuck } = usePages(query, failure)
  const { data } = query
  const listing = useMemo((): Listing => {
    const items = data?.pages.flatMap(({ files }) => files) ?? noItems
    const hasMore = data?.pages.at(-1)?.next_cursor != null
    return { items, total: items.length + (hasMore ? 1 : 0), folders: 0, loadMore, isStuck }
  }, [data, loadMore, isStuck])
  const isPhone = usePhone()
  const state = useListState(listing, null)
  const { actions, selection } = state
  const isChoosing = isPhone && isSelecting(state)
  return (
    <Sheet title={title}>
      <div className={styles.head}>
        {isChoosing ? (
          <PhoneSelectionTop over="title" {...state} />
        ) : (
          <div className={styles.part}>
            <ScreenTitle
              action={
                <div className={styles.actions}>
                  {!isPhone && choice}
                  <RefreshButton onRefresh={reload} />
                </div>
              }
            >
              {title}
            </ScreenTitle>
          </div>
        )}
        <div className={styles.part}>
          {isPhone && choice}
          {note}
        </div>
      </div>
      {problem && <ErrorStrip {...problem} onRetry={reload} onDismiss={dismiss} />}
      {actions.problem && <ErrorStrip {...actions.problem} onDismiss={actions.dismissProblem} />}
      {isPhone && <PhoneSort middle="location" isSortable={false} />}
      <ListPane state={state} folder={null}>
        <ItemList
          state={state}
          middle="location"
          isSortable={false}
          isWaiting={isWaiting}
          isStale={isStale}
          groupOf={groupOf}
          empty={data !== undefined && empty}
          onOpenFolder={nothing}
        />
      </ListPane>
      {isChoosing && <PhoneSelectionBottom selection={selection} acts={itemActs(actions, selection.items)} />}
      {actions.dialogs}
    </Sheet>
  )
}
