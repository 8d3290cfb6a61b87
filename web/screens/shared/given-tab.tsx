/** What the user shares with others: one row for each person or group. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Share } from '../../../src/api/shares.ts'
import { useItemActions } from '../../items/actions/use-item-actions.tsx'
import { givenQuery } from '../../lib/data/shares.ts'
import { givenLook } from './share-look.tsx'
import type { ShareRow } from './share-row.ts'
import { SharedPages } from './shared-pages.tsx'
import { useGivenActs } from './use-given-acts.ts'
import { useOpenShared } from './use-open-shared.ts'

const noShares: readonly Share[] = []
const nothing = () => undefined

const empty = {
  title: 'You share nothing yet',
  sentence: 'Choose a file or folder and press Share… in its menu to give others access',
}

export function GivenTab() {
  const query = useInfiniteQuery(givenQuery)
  const shares = useMemo(() => query.data?.pages.flatMap(page => page.shares) ?? noShares, [query.data])
  const items = useMemo(() => shares.map(({ item }) => item), [shares])
  const rows = shares.map(({ who, ...share }): ShareRow => ({ ...share, who: { ...who, to: null }, isNew: false }))
  const actions = useItemActions(items, nothing)
  const open = useOpenShared(items)
  const acts = useGivenActs(shares, actions)
  return (
    <>
      <SharedPages
        query={query}
        failure="Failed to load what you share"
        empty={empty}
        rows={rows}
        look={givenLook}
        label="Shared by me"
        acts={{ open: ({ item }) => open(item), menuOf: acts.menuOf }}
        problem={acts.problem ?? actions.problem}
        onDismiss={acts.problem ? acts.dismiss : actions.dismissProblem}
      />
      {actions.dialogs}
    </>
  )
}
