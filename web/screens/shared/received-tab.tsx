/** What others share with the user, or what of it the user has hidden. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { ReceivedShare } from '../../../src/api/shares.ts'
import { useItemActions } from '../../items/actions/use-item-actions.tsx'
import { markSeen, receivedQuery } from '../../lib/data/shares.ts'
import { logged } from '../../lib/server/log-failure.ts'
import { receivedLook } from './share-look.tsx'
import type { ShareRow } from './share-row.ts'
import { SharedPages } from './shared-pages.tsx'
import { useOpenShared } from './use-open-shared.ts'
import { useReceivedActs } from './use-received-acts.tsx'

const noShares: readonly ReceivedShare[] = []
const nothing = () => undefined

const empty = {
  title: 'Nothing is shared with you',
  sentence: 'When others give you access to a file or folder, you find it here',
}
const noneHidden = {
  title: 'Nothing is hidden',
  sentence: 'What you hide from the list waits here until you show it again',
}

export function ReceivedTab({ isHidden }: { isHidden: boolean }) {
  const query = useInfiniteQuery(receivedQuery(isHidden))
  const shares = useMemo(() => query.data?.pages.flatMap(page => page.shares) ?? noShares, [query.data])
  const isNew = useNews(shares, !isHidden)
  const rows = shares.map((share): ShareRow => {
    const { from, group, ...rest } = share
    return { ...rest, who: { ...from, to: group }, isNew: isNew(share) }
  })
  const items = useMemo(() => shares.map(({ item }) => item), [shares])
  const actions = useItemActions(items, nothing)
  const acts = useReceivedActs({ isHidden, actions })
  const open = useOpenShared(items)
  return (
    <>
      <SharedPages
        query={query}
        failure="Failed to load what is shared with you"
        empty={isHidden ? noneHidden : empty}
        rows={rows}
        look={receivedLook}
        label={isHidden ? 'Hidden' : 'Shared with me'}
        acts={{ open: ({ item }) => open(item), menuOf: acts.menuOf }}
        problem={acts.problem ?? actions.problem}
        onDismiss={acts.problem ? acts.dismiss : actions.dismissProblem}
      />
      {acts.question}
      {actions.dialogs}
    </>
  )
}

/** What is new stays marked while the list is on screen, although the server is told at once that it was seen. */
function useNews(shares: readonly ReceivedShare[], isCounted: boolean): (share: ReceivedShare) => boolean {
  const [news, setNews] = useState<ReadonlySet<number>>(new Set())
  const found = shares.filter(({ id, is_new }) => isCounted && is_new && !news.has(id)).map(({ id }) => id)
  // Set it during rendering, as React recommends for state derived from props.
  if (found.length > 0) setNews(new Set([...news, ...found]))
  const hasNews = news.size > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that there is something new
  useEffect(() => {
    if (hasNews) void markSeen().catch(logged('Failed to mark what is shared as seen')).catch(nothing)
  }, [news])
  return ({ id }) => news.has(id)
}
