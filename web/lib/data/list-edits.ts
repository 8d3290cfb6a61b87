/** Edits of the lists in the cache: shown before the server has answered, taken back for what it refuses. */
import type { InfiniteData } from '@tanstack/react-query'
import type { FileItem } from '../../../src/api/items.ts'
import { queryClient } from '../server/query-client.ts'

/** What becomes of an entry; null takes it out. */
export type Edit = (item: FileItem) => FileItem | null

/** One page of a list; in a folder's the folders stand by themselves. */
interface Page {
  files: FileItem[]
  folders?: FileItem[]
  total: number
  total_folders?: number
}

type Pages = InfiniteData<Page>

/** Lists as the cache names them: `folder` for folders in every order, `search` for what was found. */
export type Lists = readonly ('folder' | 'search' | 'trash' | 'favorites')[]

/** Applies an edit to every entry of the lists in the cache. */
export function editLists(lists: Lists, edit: Edit): void {
  for (const list of lists) {
    queryClient.setQueriesData<Pages>({ queryKey: [list] }, data => data && editPages(data, edit))
  }
}

/** An edit that takes these items out. */
export function without(gone: readonly FileItem[]): Edit {
  const ids = new Set(gone.map(({ id }) => id))
  return item => (ids.has(item.id) ? null : item)
}

/**
 * Remembers how the lists are; gives back what makes some items in them again as they were, whatever has become of all
 * others since.
 */
export function rememberLists(lists: Lists): (items: readonly FileItem[]) => void {
  const before = lists.flatMap(list => queryClient.getQueriesData<Pages>({ queryKey: [list] }))
  return items => {
    const ids = new Set(items.map(({ id }) => id))
    for (const [queryKey, old] of before) {
      queryClient.setQueryData<Pages>(queryKey, now => (old && now ? putBack(now, old, ids) : now))
    }
  }
}

/** What nothing is edited in stays the same object, so that it is not drawn anew. */
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

/** Puts items as they were in the place of what they are now; those not listed behind the one that stood before them. */
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

/** Makes the totals follow what has come into the pages or left them. */
function recount(before: readonly Page[], pages: readonly Page[]): Page[] {
  const count = (of: readonly Page[], kind: 'folders' | 'files') =>
    of.reduce((sum, page) => sum + (page[kind]?.length ?? 0), 0)
  const folders = count(pages, 'folders') - count(before, 'folders')
  const all = folders + count(pages, 'files') - count(before, 'files')
  if (all === 0) return [...pages]
  return pages.map(({ total, total_folders, ...page }) => ({
    ...page,
    total: total + all,
    ...(total_folders === undefined ? {} : { total_folders: total_folders + folders }),
  }))
}
