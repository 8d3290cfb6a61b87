/** All links of the server. What they are on is not shown: it is of their makers. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Link } from '../../../src/api/links.ts'
import { EndLinkDialog } from '../../items/sharing/links/end-link-dialog.tsx'
import { allLinksQuery } from '../../lib/data/links.ts'
import { useLoadMore } from '../../lib/data/use-load-more.ts'
import { SharedDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LinkTable } from './link-table.tsx'
import { LoadProblem } from './load-problem.tsx'
import { TabHead } from './tab-head.tsx'
import { TableSkeleton } from './table-skeleton.tsx'

const nothing = () => undefined

export function LinksTab() {
  const query = useInfiniteQuery(allLinksQuery)
  const [ending, setEnding] = useState<Link | null>(null)
  const links = query.data?.pages.flatMap(page => page.links)
  const loadMore = useLoadMore(query)
  return (
    <>
      <TabHead words="The links of all users. What they are on only their makers see.">{null}</TabHead>
      <LoadProblem query={query} title="Failed to load links" />
      <TableSkeleton isPending={query.isPending} phoneRowHeight={88} />
      {links && links.length > 0 && (
        <LinkTable links={links} onEnd={setEnding} onNearEnd={loadMore} hasMore={query.hasNextPage} />
      )}
      {links?.length === 0 && (
        <EmptyState
          drawing={<SharedDrawing />}
          title="No links yet"
          sentence="Links that users make for people without an account are listed here"
        />
      )}
      <EndLinkDialog link={ending} onClose={() => setEnding(null)} onEnd={nothing} />
    </>
  )
}
