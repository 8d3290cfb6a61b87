/** Optimistic edits of the lists in the cache, and their rollback for what the server refuses. */
import type { InfiniteData } from '@tanstack/react-query'
import type { FileItem } from '../../../src/api/items.ts'
import { queryClient } from '../server/query-client.ts'

/** Returns an entry's new state; null removes it. */
export type Edit = (item: FileItem) => FileItem | null

/** One page of a list. A folder's page has its folders separately. */
interface Page {
  files: FileItem[]
  folders?: FileItem[]
  /** Absent from a list that is not counted. */
  total?: number
  total_folders?: number
}

type Pages = InfiniteData<Page>

/** Lists by their cache key: `folder` for folders in every order, `search` for search results. */
export type Lists = readonly ('folder' | 'search' | 'recent' | 'largest' | 'trash' | 'favorites')[]

/** The lists of live items. */
export const everywhere: Lists = ['folder', 'search', 'recent', 'largest']

/** Applies an edit to every entry of the lists in the cache. */
export function editLists(lists: Lists, edit: Edit): void {
  for (const list of lists) {
    queryClient.setQueriesData<Pages>({ queryKey: [list] }, data => data && editPages(data, edit))
  }
}

/** An edit that removes these items. */
export function without(gone: readonly FileItem[]): Edit {
  const ids = new Set(gone.map(({ id }) => id))
  return item => (ids.has(item.id) ? null : item)
}

/**
 * Takes a snapshot of the lists. Returns a function that restores some items to it and leaves all other items alone,
 * whatever has happened to them since.
 */
export function rememberLists(lists: Lists): (items: readonly FileItem[]) => void {
  const before = lists.flatMap(list => queryClient.getQueriesData<Pages>({ queryKey: [list] }))
  return items => {
    if (items.length === 0) return
    const ids = new Set(items.map(({ id }) => id))
    for (const [queryKey, old] of before) {
      queryClient.setQueryData<Pages>(queryKey, now => (old && now ? putBack(now, old, ids) : now))
    }
  }
}

/** A page without an edit keeps its identity, so that React does not render it again. */
function editPages(data: Pages, edit: Edit): Pages {
  const apply = (items: FileItem[]) => {
    const edited = items.map(edit)
    return edited.every((item, index) => item === items[index]) ? items : edited.filter(item => item !== null)
  }
  const pages = data.pages.map(page => {
    const files = apply(page.files)
    const folders = page.folders && apply(page.folders)
    return files === page.files && folders === page.folders ? page : { ...page, files, folders }
  })
  return pages.every((page, index) => page === data.pages[index])
    ? data
    : { ...data, pages: recount(data.pages, pages) }
}

function putBack(now: Pages, old: Pages, ids: ReadonlySet<number>): Pages {
  const listed = new Set(now.pages.flatMap(entriesOf).map(({ id }) => id))
  const pages = now.pages.map((page, index) => {
    const was = old.pages[index]
    const files = mend(page.files, was?.files ?? [], ids, listed)
    const folders = page.folders && mend(page.folders, was?.folders ?? [], ids, listed)
    return { ...page, files, folders }
  })
  return { ...now, pages: recount(now.pages, pages) }
}

/** Replaces items by their old versions. An item that is no longer listed goes behind its old predecessor. */
function mend(now: FileItem[], old: FileItem[], ids: ReadonlySet<number>, listed: ReadonlySet<number>): FileItem[] {
  const mended = new Map<number, FileItem>()
  const behind = new Map<number | null, FileItem[]>()
  let last: number | null = null
  for (const item of old) {
    if (!ids.has(item.id)) last = listed.has(item.id) ? item.id : last
    else if (listed.has(item.id)) mended.set(item.id, item)
    else behind.set(last, [...(behind.get(last) ?? []), item])
  }
  const after = (id: number | null) => behind.get(id) ?? []
  return [...after(null), ...now.flatMap(item => [mended.get(item.id) ?? item, ...after(item.id)])]
}

const entriesOf = (page: Page): FileItem[] => [...(page.folders ?? []), ...page.files]

/** Adjusts the totals to the items that were added to the pages or removed. */
function recount(before: readonly Page[], pages: readonly Page[]): Page[] {
  const count = (of: readonly Page[], kind: 'folders' | 'files') =>
    of.reduce((sum, page) => sum + (page[kind]?.length ?? 0), 0)
  const folders = count(pages, 'folders') - count(before, 'folders')
  const all = folders + count(pages, 'files') - count(before, 'files')
  if (all === 0) return [...pages]
  return pages.map(({ total, total_folders, ...page }) => ({
    ...page,
    ...(total === undefined ? {} : { total: total + all }),
    ...(total_folders === undefined ? {} : { total_folders: total_folders + folders }),
  }))
}
