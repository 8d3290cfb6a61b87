/** Lists that come page by page. */
import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query'

/**
 * A page that was read again, with all that is unchanged in it taken from the cache, so that it need not be drawn
 * anew. Done page by page as they come: a list of thousands would hold the window up if it were compared at once.
 */
export function shareEqual<Page>(cached: InfiniteData<Page> | undefined, pageParam: unknown, page: Page): Page {
  const index = cached?.pageParams.indexOf(pageParam) ?? -1
  return index < 0 ? page : replaceEqualDeep(cached?.pages[index], page)
}
