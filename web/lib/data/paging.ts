/** Lists that come page by page. */
import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query'

/** How many items a list has: the count of the page that came last and, while there is more to come, at least one more. */
export const totalOf = (loaded: number, last: { total: number; next_cursor: string | null } | undefined): number =>
  last?.next_cursor == null ? loaded : Math.max(last.total, loaded + 1)

/**
 * A page that was read again, with all that is unchanged in it taken from the cache, so that it need not be drawn
 * anew. Done page by page as they come: a list of thousands would hold the window up if it were compared at once.
 */
export function shareEqual<Page>(cached: InfiniteData<Page> | undefined, pageParam: unknown, page: Page): Page {
  const index = cached?.pageParams.indexOf(pageParam) ?? -1
  return index < 0 ? page : replaceEqualDeep(cached?.pages[index], page)
}
