/** Paged lists. */
import { type InfiniteData, replaceEqualDeep } from '@tanstack/react-query'

/** How many items a list has: the last loaded page's total; while pages are missing, at least one more than loaded. */
export const totalOf = (loaded: number, last: { total: number; next_cursor: string | null } | undefined): number =>
  last?.next_cursor == null ? loaded : Math.max(last.total, loaded + 1)

/**
 * A refetched page that keeps the cached object for everything unchanged, so that React renders only changes. This runs
 * page by page: comparing a list of thousands at once would block the window.
 */
export function shareEqual<Page>(cached: InfiniteData<Page> | undefined, pageParam: unknown, page: Page): Page {
  const index = cached?.pageParams.indexOf(pageParam) ?? -1
  return index < 0 ? page : replaceEqualDeep(cached?.pages[index], page)
}
