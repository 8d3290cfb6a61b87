/** Sharing: who has access to an item, and what is shared with the user and by the user. */
import { type InfiniteData, infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '../../../src/api/endpoint.ts'
import { maxPageSize } from '../../../src/api/limits.ts'
import type { ShareLevel } from '../../../src/api/share-levels.ts'
import {
  type AccessEntry,
  createShare,
  deleteShare,
  findPeople,
  hideShare,
  listAccess,
  listGiven,
  listReceived,
  markSharesSeen,
  updateShare,
} from '../../../src/api/shares.ts'
import { call } from '../server/call.ts'
import { queryClient } from '../server/query-client.ts'
import { refreshItems } from './folders.ts'
import { newSharesQuery } from './new-shares.ts'

/** All ways by which somebody reaches an item; only for who may give access to it. */
export const accessQuery = (itemId: number) =>
  queryOptions({
    queryKey: ['item', itemId, 'access'],
    queryFn: async () => (await call(listAccess, { id: itemId })).access,
  })

/** People and groups whose name fits a text of at least 2 characters. */
export const peopleQuery = (q: string) =>
  queryOptions({
    queryKey: ['people', q],
    queryFn: () => call(findPeople, { q }),
    enabled: q.length >= 2,
    placeholderData: keepPreviousData,
  })

/** What is shared with the user: what is listed, or what the user has hidden. */
export const receivedQuery = (isHidden: boolean) =>
  infiniteQueryOptions({
    queryKey: ['shares', 'received', isHidden],
    queryFn: ({ pageParam }) =>
      call(listReceived, { hidden: isHidden ? 'true' : undefined, limit: maxPageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
  })

/** What the user shares with others. */
export const givenQuery = infiniteQueryOptions({
  queryKey: ['shares', 'given'],
  queryFn: ({ pageParam }) => call(listGiven, { limit: maxPageSize, cursor: pageParam }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: page => page.next_cursor ?? undefined,
})

/** Gives a user or a group access; who has access to the very item already gets the new level. */
export async function giveAccess(input: InputOf<typeof createShare>): Promise<void> {
  await call(createShare, input)
  void refreshItems()
}

type SharePages = InfiniteData<{ shares: { id: number }[]; next_cursor: string | null }>

/** Takes a share out of the lists of shares at once; they are loaded again once the server has answered. */
async function takingOut(id: number, send: () => Promise<unknown>): Promise<void> {
  await queryClient.cancelQueries({ queryKey: ['shares'] })
  const without = (data: SharePages | undefined) =>
    data && {
      ...data,
      pages: data.pages.map(page => ({ ...page, shares: page.shares.filter(share => share.id !== id) })),
    }
  for (const list of ['received', 'given']) queryClient.setQueriesData({ queryKey: ['shares', list] }, without)
  try {
    await send()
  } finally {
    void refreshItems()
  }
}

/** Ends a share. Throws the server's error. */
export const endShare = (id: number): Promise<void> => takingOut(id, () => call(deleteShare, { id }))

/** Hides a share from the user's own list, or shows it again. */
export const setHidden = (id: number, hidden: boolean): Promise<void> =>
  takingOut(id, () => call(hideShare, { id, hidden }))

/** Nothing that is shared with the user is new any more. */
export async function markSeen(): Promise<void> {
  await call(markSharesSeen, {})
  await queryClient.invalidateQueries({ queryKey: newSharesQuery.queryKey })
}

/** Edits the list of an item's access at once, and takes the edit back when the server refuses. */
async function editAccess(
  itemId: number,
  edit: (entries: AccessEntry[]) => AccessEntry[],
  send: () => Promise<unknown>,
): Promise<void> {
  const { queryKey } = accessQuery(itemId)
  await queryClient.cancelQueries({ queryKey, exact: true })
  const before = queryClient.getQueryData(queryKey)
  queryClient.setQueryData(queryKey, entries => entries && edit(entries))
  try {
    await send()
  } catch (error) {
    queryClient.setQueryData(queryKey, before)
    throw error
  } finally {
    void refreshItems()
  }
}

/** Changes the level or the end of a share. Throws the server's error. */
export const changeAccess = (
  itemId: number,
  shareId: number,
  terms: { level?: ShareLevel; expires_at?: string | null },
): Promise<void> =>
  editAccess(
    itemId,
    entries => entries.map(entry => (entry.share_id === shareId ? { ...entry, ...terms } : entry)),
    () => call(updateShare, { id: shareId, ...terms }),
  )

/** Takes a share away. Throws the server's error. */
export const removeAccess = (itemId: number, shareId: number): Promise<void> =>
  editAccess(
    itemId,
    entries => entries.filter(({ share_id }) => share_id !== shareId),
    () => endShare(shareId),
  )
