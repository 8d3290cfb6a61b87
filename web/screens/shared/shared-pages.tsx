/** A list of shares or links with its placeholders, errors and the message for an empty one. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import type { Problem } from '../../items/actions/use-problem.ts'
import { usePages } from '../../items/list/use-pages.ts'
import { SharedDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { PrintedList } from '../../ui/print/printed-list.tsx'
import { SkeletonRows } from '../../ui/skeleton-rows.tsx'
import { SharedList } from './shared-list.tsx'

interface SharedPagesProps<Page, Row extends { id: number }>
  extends Omit<ComponentProps<typeof SharedList<Row>>, 'hasMore' | 'onNearEnd'> {
  query: UseInfiniteQueryResult<InfiniteData<Page>>
  /** The title of an error. */
  failure: string
  empty: { title: string; sentence: string }
  /** A failure of an act on the list. */
  problem: Problem | null
  onDismiss: () => void
}

export function SharedPages<Page, Row extends { id: number }>(props: SharedPagesProps<Page, Row>) {
  const { query, failure, empty, problem: actProblem, onDismiss, ...list } = props
  const { isWaiting, problem, dismiss, reload, loadMore, isStuck } = usePages(query, failure)
  const { rows, label, look } = list
  return (
    <>
      {problem && <ErrorStrip {...problem} onRetry={() => void reload()} onDismiss={dismiss} />}
      {actProblem && <ErrorStrip {...actProblem} onDismiss={onDismiss} />}
      {isWaiting && <SkeletonRows />}
      {query.data !== undefined && rows.length === 0 && <EmptyState drawing={<SharedDrawing />} {...empty} />}
      <PrintedList
        title={label}
        rows={rows}
        total={rows.length + (query.hasNextPage ? 1 : 0)}
        keyOf={({ id }) => id}
        columns={look.printed}
        loadMore={loadMore}
        isStuck={isStuck}
      />
      {rows.length > 0 && <SharedList {...list} hasMore={query.hasNextPage} onNearEnd={loadMore} />}
    </>
  )
}
