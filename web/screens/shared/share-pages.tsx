/** A list of shares with its placeholders, errors and the message for an empty one. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import type { Problem } from '../../items/actions/use-problem.ts'
import { usePages } from '../../items/list/use-pages.ts'
import { SharedDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { SkeletonRows } from '../../ui/skeleton-rows.tsx'
import { PrintedShares } from './printed-shares.tsx'
import { ShareList } from './share-list.tsx'

interface SharePagesProps<Page> extends Omit<ComponentProps<typeof ShareList>, 'hasMore' | 'onNearEnd'> {
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  /** The title of an error. */
  failure: string
  empty: { title: string; sentence: string }
  /** A failure of an act on the list. */
  problem: Problem | null
  onDismiss: () => void
}

export function SharePages<Page>(props: SharePagesProps<Page>) {
  const { query, failure, empty, problem: actProblem, onDismiss, ...list } = props
  const { isWaiting, problem, dismiss, reload, loadMore, isStuck } = usePages(query, failure)
  return (
    <>
      {problem && <ErrorStrip {...problem} onRetry={() => void reload()} onDismiss={dismiss} />}
      {actProblem && <ErrorStrip {...actProblem} onDismiss={onDismiss} />}
      {isWaiting && <SkeletonRows />}
      {query.data !== undefined && list.rows.length === 0 && <EmptyState drawing={<SharedDrawing />} {...empty} />}
      <PrintedShares {...list} hasMore={query.hasNextPage} loadMore={loadMore} isStuck={isStuck} />
      {list.rows.length > 0 && <ShareList {...list} hasMore={query.hasNextPage} onNearEnd={loadMore} />}
    </>
  )
}
