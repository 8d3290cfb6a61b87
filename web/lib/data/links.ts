/** Links: those of an item, the user's own, and all of the server. */
import { type InfiniteData, infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { InputOf } from '../../../src/api/endpoint.ts'
import { maxPageSize } from '../../../src/api/limits.ts'
import { createLink, deleteLink, type Link, listLinkEvents, listLinks, updateLink } from '../../../src/api/links.ts'
import { call } from '../server/call.ts'
import { queryClient } from '../server/query-client.ts'
import { refreshItems } from './folders.ts'

/** The links of an item, the newest first; fails with 403 for who may make none there. */
export const itemLinksQuery = (itemId: number) =>
  queryOptions({
    queryKey: ['item', itemId, 'links'],
    queryFn: async () => (await call(listLinks, { item_id: itemId, limit: maxPageSize })).links,
  })

const linkPages = (whose: 'own' | 'all') =>
  infiniteQueryOptions({
    queryKey: ['links', whose],
    queryFn: ({ pageParam }) =>
      call(listLinks, { all: whose === 'all' ? 'true' : undefined, limit: maxPageSize, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
  })

/** The links that the user answers for. */
export const ownLinksQuery = linkPages('own')

/** The links of all users, without the names of what they are on. */
export const allLinksQuery = linkPages('all')

/** What a link was used for, the newest first. */
export const linkEventsQuery = (id: number) =>
  infiniteQueryOptions({
    queryKey: ['links', 'events', id],
    queryFn: ({ pageParam }) => call(listLinkEvents, { id, limit: 50, cursor: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.next_cursor ?? undefined,
  })

/** Edits the lists of links that are in the cache. `itemId` is that of the links' item. */
function editLists(itemId: number, edit: (links: Link[]) => Link[]): void {
  queryClient.setQueryData(itemLinksQuery(itemId).queryKey, links => links && edit(links))
  const inPages = (data: InfiniteData<{ links: Link[] }> | undefined) =>
    data && { ...data, pages: data.pages.map(page => ({ ...page, links: edit(page.links) })) }
  for (const whose of ['own', 'all']) queryClient.setQueriesData({ queryKey: ['links', whose] }, inPages)
}

/** Throws the server's error. */
export async function makeLink(input: InputOf<typeof createLink>): Promise<Link> {
  const { link } = await call(createLink, input)
  queryClient.setQueryData(itemLinksQuery(link.item_id).queryKey, links => links && [link, ...links])
  void refreshItems()
  return link
}

export type LinkChange = Omit<InputOf<typeof updateLink>, 'id'>

/** Changes, pauses, resumes or takes over a link. Throws the server's error. */
export async function changeLink({ id }: Pick<Link, 'id'>, change: LinkChange): Promise<void> {
  const { link } = await call(updateLink, { id, ...change })
  editLists(link.item_id, links => links.map(one => (one.id === id ? { ...link, item: link.item ?? one.item } : one)))
  void refreshItems()
}

/** Ends a link for good. Throws the server's error. */
export async function endLink({ id, item_id }: Pick<Link, 'id' | 'item_id'>): Promise<void> {
  await call(deleteLink, { id })
  editLists(item_id, links => links.filter(one => one.id !== id))
  void refreshItems()
}
