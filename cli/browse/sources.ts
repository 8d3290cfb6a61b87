/** Reads lists from the server, one page at a time. */
import type { Call } from '../../src/api/client.ts'
import { listFavorites, listFiles } from '../../src/api/files.ts'
import type { Breadcrumb, FolderListing } from '../../src/api/items.ts'
import { maxPendingShown } from '../../src/api/limits.ts'
import { searchFiles } from '../../src/api/search.ts'
import { listTrash } from '../../src/api/trash.ts'
import { readPending } from '../../src/api/validation.ts'
import { refuseEmptyPage } from '../pages.ts'
import { shownPath } from '../places.ts'
import { readRecentPage } from '../recent-page.ts'
import type { PageAnswer, Want } from './listing.ts'
import type { Source } from './state.ts'

/** Entries per page: a few screens, in one or two hundred kilobytes of response. */
const pageSize = 500

/** A page, with its path if it is of a folder. */
interface SourcePage extends PageAnswer {
  path?: string
  breadcrumbs?: readonly Breadcrumb[]
}

type Folder = Extract<Source, { kind: 'folder' }>

/** Returns the folders on the way; in another place, its root first. */
function crumbsOf({ breadcrumbs, folder }: FolderListing): Breadcrumb[] {
  const place = folder?.place ?? null
  if (place === null) return breadcrumbs
  const root = { id: place.id, name: place.name, path: '/' }
  return [root, ...breadcrumbs].map(crumb => ({ ...crumb, path: shownPath({ place, path: crumb.path }) }))
}

const pageOfFolder = (answer: FolderListing, total = answer.total): SourcePage => ({
  entries: [...answer.folders, ...answer.files],
  next: answer.next_cursor,
  total,
  exact: true,
  path: shownPath({ place: answer.folder?.place ?? null, path: answer.path }),
  breadcrumbs: crumbsOf(answer),
})

async function readFolder(call: Call, source: Folder, { run, cursor }: Want): Promise<SourcePage> {
  const backwards = run === 'tail'
  const query = {
    parent_id: source.parentId,
    sort: source.sort,
    order: source.reverse === backwards ? ('asc' as const) : ('desc' as const),
    limit: pageSize,
    cursor,
  }
  if (source.foldersOnly) return pageOfFolder(await call(listFiles, { ...query, only: 'folders' }))
  if (!backwards) return pageOfFolder(await call(listFiles, query))
  // Folders come first in either order, so the list is read backwards through its files only.
  const answer = await call(listFiles, { ...query, only: 'files' })
  return pageOfFolder(answer, answer.total + answer.total_folders)
}

async function readWhole(call: Call): Promise<SourcePage> {
  const entries = await readPending(call, maxPendingShown)
  return { entries, next: null, total: entries.length, exact: entries.length < maxPendingShown }
}

/** The server does not count the recent files: while pages are missing, there is room for one entry more. */
async function readRecent(call: Call, { cursor, page }: Want): Promise<SourcePage> {
  const { files, next_cursor } = await readRecentPage(call, { limit: pageSize, cursor })
  const total = next_cursor === null ? 0 : (page + 1) * pageSize + 1
  return { entries: files, next: next_cursor, total, exact: next_cursor === null }
}

async function readAny(call: Call, source: Source, want: Want): Promise<SourcePage> {
  const paging = { limit: pageSize, cursor: want.cursor }
  if (source.kind === 'folder') return readFolder(call, source, want)
  if (source.kind === 'search' || source.kind === 'tag') {
    const wanted = source.kind === 'tag' ? { tag_id: source.id } : { q: source.text }
    const answer = await call(searchFiles, { ...wanted, ...paging })
    return { entries: answer.files, next: answer.next_cursor, total: answer.total, exact: answer.total_is_exact }
  }
  if (source.kind === 'pending') return readWhole(call)
  if (source.kind === 'recent') return readRecent(call, want)
  const answer = await call(source.kind === 'trash' ? listTrash : listFavorites, paging)
  return { entries: answer.files, next: answer.next_cursor, total: answer.total, exact: true }
}

/**
 * Reads the wanted page. Throws like `refuseEmptyPage`, because after a page without entries the same page would be
 * requested again.
 */
export async function readPage(call: Call, source: Source, want: Want): Promise<SourcePage> {
  const page = await readAny(call, source, want)
  refuseEmptyPage(page.entries, page.next)
  return page
}
