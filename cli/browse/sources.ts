/** Reads lists from the server, one page at a time. */
import type { Call } from '../../src/api/client.ts'
import { listFavorites, listFiles } from '../../src/api/files.ts'
import type { Breadcrumb, FolderListing } from '../../src/api/items.ts'
import { maxPendingShown } from '../../src/api/limits.ts'
import { searchFiles } from '../../src/api/search.ts'
import { listGiven, listReceived, markSharesSeen } from '../../src/api/shares.ts'
import { listTrash } from '../../src/api/trash.ts'
import { readPending } from '../../src/api/validation.ts'
import { refuseEmptyPage } from '../pages.ts'
import { readPlaces, readTeams, shownPath } from '../places.ts'
import { readRecentPage } from '../recent-page.ts'
import type { Entry, PageAnswer, Want } from './listing.ts'
import type { FolderFacts, Source } from './place.ts'
import { entryOfGiven, entryOfPlace, entryOfReceived, entryOfTeam } from './place-entries.ts'

/** Entries per page: a few screens, in one or two hundred kilobytes of response. */
const pageSize = 500

/** A page, with its path if it is of a folder. */
interface SourcePage extends PageAnswer {
  path?: string
  breadcrumbs?: readonly Breadcrumb[]
  folder?: FolderFacts
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
  folder: {
    root: answer.folder?.place ?? null,
    name: answer.folder?.name ?? '/',
    may: answer.may,
    held: answer.held,
  },
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

const wholeList = (entries: readonly Entry[], exact = true): SourcePage => ({
  entries,
  next: null,
  total: entries.length,
  exact,
})

/** A page of a list that the server does not count: while pages are missing, there is room for one entry more. */
function uncounted(entries: readonly Entry[], next: string | null, { page }: Want): SourcePage {
  return { entries, next, total: next === null ? 0 : (page + 1) * pageSize + 1, exact: next === null }
}

/** Reads what others share. The user has seen it then, so that it is no longer new the next time. */
async function readReceivedPage(call: Call, isHidden: boolean, want: Want): Promise<SourcePage> {
  const hidden = isHidden ? ('true' as const) : undefined
  const { shares, next_cursor } = await call(listReceived, { hidden, limit: pageSize, cursor: want.cursor })
  if (shares.some(share => share.is_new)) await call(markSharesSeen, {}).catch(() => undefined)
  return uncounted(shares.map(entryOfReceived), next_cursor, want)
}

async function readGivenPage(call: Call, want: Want): Promise<SourcePage> {
  const { shares, next_cursor } = await call(listGiven, { limit: pageSize, cursor: want.cursor })
  return uncounted(shares.map(entryOfGiven), next_cursor, want)
}

async function readRecent(call: Call, want: Want): Promise<SourcePage> {
  const { files, next_cursor } = await readRecentPage(call, { limit: pageSize, cursor: want.cursor })
  return uncounted(files, next_cursor, want)
}

async function readPendingList(call: Call): Promise<SourcePage> {
  const entries = await readPending(call, maxPendingShown)
  return wholeList(entries, entries.length < maxPendingShown)
}

/** Reads the places that a folder can be chosen in. */
const readFolderPlaces = async (call: Call): Promise<SourcePage> =>
  wholeList((await readPlaces(call)).filter(place => place.is_directory).map(entryOfPlace))

async function readCounted(call: Call, source: Source, cursor: string | undefined): Promise<SourcePage> {
  const page = { limit: pageSize, cursor }
  const { files, next_cursor, total } =
    source.kind === 'trash'
      ? await call(listTrash, { folder_id: source.team?.folder_id, ...page })
      : await call(listFavorites, page)
  return { entries: files, next: next_cursor, total, exact: true }
}

async function readAny(call: Call, source: Source, want: Want): Promise<SourcePage> {
  const paging = { limit: pageSize, cursor: want.cursor }
  if (source.kind === 'folder') return readFolder(call, source, want)
  if (source.kind === 'search' || source.kind === 'tag') {
    const wanted = source.kind === 'tag' ? { tag_id: source.id } : { q: source.text, in: source.within?.id }
    const answer = await call(searchFiles, { ...wanted, ...paging })
    return { entries: answer.files, next: answer.next_cursor, total: answer.total, exact: answer.total_is_exact }
  }
  if (source.kind === 'pending') return readPendingList(call)
  if (source.kind === 'recent') return readRecent(call, want)
  if (source.kind === 'teams') return wholeList((await readTeams(call)).map(entryOfTeam))
  if (source.kind === 'places') return readFolderPlaces(call)
  if (source.kind === 'received') return readReceivedPage(call, source.isHidden, want)
  if (source.kind === 'given') return readGivenPage(call, want)
  return readCounted(call, source, want.cursor)
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
