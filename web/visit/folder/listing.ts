/** The items of the folder on screen, loaded page by page. */
import { create } from 'zustand'
import type { SortKey, SortOrder } from '../../../src/api/files.ts'
import type { Breadcrumb } from '../../../src/api/items.ts'
import { listLinkFiles, type VisitorItem } from '../../../src/api/visits.ts'
import { firstPageSize } from '../../lib/server/first-calls.ts'
import { confirmLink } from '../link.ts'
import { call, token } from '../link-calls.ts'

interface Query {
  /** Null is the folder that the link is on. */
  folder: number | null
  sort: SortKey
  order: SortOrder
}

export interface Listing {
  query: Query
  items: readonly VisitorItem[]
  total: number
  /** How many of all items are folders; they come first. */
  folders: number
  /** From the first folder below that of the link to this one. */
  trail: readonly Breadcrumb[]
  /** Null when everything is loaded. */
  cursor: string | null
}

interface ListingState {
  /** The last folder that was loaded; null before the first one. */
  listing: Listing | null
  /** Whether another folder or order is on its way. */
  isLoading: boolean
  /** Why the last request failed. */
  error: unknown
}

export const useListing = create<ListingState>(() => ({ listing: null, isLoading: true, error: null }))

/** What is to be shown. A late answer to another question is dropped. */
let wanted: Query | null = null
let loadingMore: Promise<void> | null = null

async function load(query: Query, before: Listing | null): Promise<void> {
  try {
    const { folder, sort, order } = query
    const page = await call(listLinkFiles, {
      token,
      ...(folder !== null && { parent_id: folder }),
      sort,
      order,
      limit: firstPageSize,
      ...(before?.cursor && { cursor: before.cursor }),
    })
    if (wanted !== query) return
    const items = [...(before?.items ?? []), ...page.folders, ...page.files]
    const listing = {
      query,
      items,
      total: page.next_cursor === null ? items.length : Math.max(page.total, items.length + 1),
      folders: page.total_folders,
      trail: page.breadcrumbs,
      cursor: page.next_cursor,
    }
    // Before the list tells that it is longer: what it shows may ask for the next page at once.
    loadingMore = null
    useListing.setState({ listing, isLoading: false, error: null })
  } catch (error) {
    if (wanted !== query) return
    await confirmLink(error)
    if (wanted !== query) return
    loadingMore = null
    useListing.setState({ isLoading: false, error })
  }
}

export async function openListing(query: Query): Promise<void> {
  wanted = query
  loadingMore = null
  useListing.setState({ isLoading: true, error: null })
  await load(query, null)
}

/** Loads the next page, if there is one and the last one did not fail. */
export function loadMore(): Promise<void> {
  const { listing, isLoading, error } = useListing.getState()
  if (listing === null || listing.cursor === null || isLoading || error !== null) return Promise.resolve()
  if (loadingMore !== null) return loadingMore
  loadingMore = load(listing.query, listing)
  return loadingMore
}

/** Tries once more what failed. */
export function retryListing(): void {
  const { listing } = useListing.getState()
  useListing.setState({ error: null })
  if (wanted === null) return
  if (listing?.query === wanted) void loadMore()
  else void openListing(wanted)
}

/** Loads the rest of the folder. Resolves with its items, or with those that are there when a page fails. */
export async function loadAll(): Promise<readonly VisitorItem[]> {
  const { listing, error } = useListing.getState()
  if (listing === null || listing.cursor === null || error !== null) return listing?.items ?? []
  await loadMore()
  return useListing.getState().listing?.query === listing.query ? loadAll() : []
}
