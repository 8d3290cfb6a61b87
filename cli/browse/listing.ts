/** A list of which only some pages are in memory: it is read forwards from its start and backwards from its end. */
import type { FileItem } from '../../src/api/items.ts'
import type { ShareLevel } from '../../src/api/share-levels.ts'
import type { Space } from '../../src/api/spaces.ts'

/** A share, to or from somebody. */
export interface ShareFacts {
  id: number
  /** From whom it is, or with whom the item is shared. */
  who: { kind: 'user' | 'group' | 'team'; id: number; name: string }
  /** The name of the group through which the user has it. */
  group: string | null
  level: ShareLevel
  created_at: string
  expires_at: string | null
  isNew: boolean
}

/**
 * An item in a list: in the approval queue with its owner's name and its hash, among the team folders with its team,
 * and in the lists of shares with one share, so that an item may be there several times.
 */
export type Entry = FileItem & { owner?: string; sha256?: string | null; team?: Space; share?: ShareFacts }

/** What tells a row of a list from the others. */
export const rowId = ({ id, share }: Entry): number => share?.id ?? id

interface Page {
  /** The cursor that requests this page; undefined for the first. */
  cursor: string | undefined
  count: number
  /** Undefined once dropped; the cursor reads them again. */
  entries: readonly Entry[] | undefined
}

interface Run {
  pages: readonly Page[]
  /** The cursor of the page after the last; null if there is none, undefined before the first answer. */
  next: string | null | undefined
}

export interface Listing {
  /** Distinguishes answers for this list from those for an earlier one. */
  id: number
  head: Run
  /** Pages read from the end; the first entry of the first page is the list's last. */
  tail: Run
  /** Whether the server can read it from its end. */
  tailable: boolean
  /** The server's count; `exact` is false if the server stopped counting there. */
  total: number
  exact: boolean
}

/** A page to request. With `renew`, all other pages are outdated when it arrives. */
export interface Want {
  run: 'head' | 'tail'
  page: number
  cursor: string | undefined
  renew: boolean
}

export interface PageAnswer {
  entries: readonly Entry[]
  next: string | null
  total: number
  exact: boolean
}

/** Pages to keep on each side of the visible one. */
const keptPages = 4

let lastId = 0
const emptyRun: Run = { pages: [], next: undefined }

export function emptyListing(tailable: boolean): Listing {
  lastId += 1
  return { id: lastId, head: emptyRun, tail: emptyRun, tailable, total: 0, exact: true }
}

const countOfRun = (run: Run): number => run.pages.reduce((sum, page) => sum + page.count, 0)

/** Whether the first page has arrived. */
export const isLoaded = (listing: Listing): boolean => listing.head.next !== undefined

/** Returns the number of rows of the list, as far as known. */
export function lengthOf(listing: Listing): number {
  const count = countOfRun(listing.head)
  if (listing.head.next === null) return count
  return Math.max(listing.total, count)
}

interface Position {
  run: 'head' | 'tail'
  page: number
  offset: number
}

function locateInRun(run: 'head' | 'tail', pages: readonly Page[], index: number): Position | undefined {
  let left = index
  for (const [page, { count }] of pages.entries()) {
    if (left < count) return { run, page, offset: left }
    left -= count
  }
  return undefined
}

function locate(listing: Listing, index: number): Position | undefined {
  return (
    locateInRun('head', listing.head.pages, index) ??
    locateInRun('tail', listing.tail.pages, lengthOf(listing) - 1 - index)
  )
}

/** Returns the entry at an index, or undefined if it is not loaded. */
export function entryAt(listing: Listing, index: number): Entry | undefined {
  const position = index < 0 || index >= lengthOf(listing) ? undefined : locate(listing, index)
  return position && listing[position.run].pages[position.page]?.entries?.[position.offset]
}

function wantForGap(listing: Listing, index: number): Want | undefined {
  const fromHead = index - countOfRun(listing.head)
  const fromTail = lengthOf(listing) - countOfRun(listing.tail) - 1 - index
  const backwards = listing.tailable && isLoaded(listing) && fromTail < fromHead && listing.tail.next !== null
  const run = backwards ? 'tail' : 'head'
  const { pages, next } = listing[run]
  return next === null ? undefined : { run, page: pages.length, cursor: next, renew: false }
}

/** Returns the first missing page for the rows `from` to `to`, or undefined if all are loaded. */
export function missingPage(listing: Listing, from: number, to: number): Want | undefined {
  if (!isLoaded(listing)) return { run: 'head', page: 0, cursor: undefined, renew: false }
  for (let index = Math.max(0, from); index <= Math.min(to, lengthOf(listing) - 1); index += 1) {
    const position = locate(listing, index)
    if (position === undefined) return wantForGap(listing, index)
    const { run, page } = position
    const kept = listing[run].pages[page]
    if (kept?.entries === undefined) return { run, page, cursor: kept?.cursor, renew: false }
  }
  return undefined
}

/** Returns a request for the page that contains a row, to read it again. */
export function pageAgain(listing: Listing, index: number): Want {
  const { run, page } = locate(listing, index) ?? { run: 'head' as const, page: 0 }
  return { run, page, cursor: listing[run].pages[page]?.cursor, renew: true }
}

const forget = (page: Page): Page => (page.entries === undefined ? page : { ...page, entries: undefined })

const trimRun = (run: Run, center: number): Run => ({
  ...run,
  pages: run.pages.map((page, index) => (Math.abs(index - center) <= keptPages ? page : forget(page))),
})

/** Returns the list with an answer added, and without the entries of pages far from it. */
export function putPage(listing: Listing, want: Want, answer: PageAnswer): Listing {
  const page: Page = { cursor: want.cursor, count: answer.entries.length, entries: answer.entries }
  const old = listing[want.run]
  const expected = want.page < old.pages.length ? old.pages[want.page]?.cursor : old.next
  // The list was read again while this page was requested, so drop the answer.
  if (want.page > old.pages.length || (want.page > 0 && expected !== want.cursor)) return listing
  const atEnd = want.renew || want.page >= old.pages.length
  const pages = [...old.pages.slice(0, want.page).map(each => (want.renew ? forget(each) : each)), page]
  const run = atEnd ? { pages, next: answer.next } : { ...old, pages: [...pages, ...old.pages.slice(want.page + 1)] }
  const other = want.run === 'head' ? 'tail' : 'head'
  const rest = want.renew && other === 'tail' ? emptyRun : trimRun(listing[other], want.renew ? Infinity : 0)
  const { total, exact } = answer
  return { ...listing, total, exact, [want.run]: trimRun(run, want.page), [other]: rest } as Listing
}

/** Returns the list with every loaded entry changed by `change`, without those for which it returns undefined. */
export function changeEntries(listing: Listing, change: (entry: Entry) => Entry | undefined): Listing {
  const changeRun = (run: Run): Run => ({
    ...run,
    pages: run.pages.map(page => {
      if (page.entries === undefined) return page
      const entries = page.entries.map(change).filter(entry => entry !== undefined)
      return { ...page, entries, count: entries.length }
    }),
  })
  const head = changeRun(listing.head)
  const tail = changeRun(listing.tail)
  const gone = countOfRun(listing.head) + countOfRun(listing.tail) - countOfRun(head) - countOfRun(tail)
  return { ...listing, head, tail, total: listing.total - gone }
}

/** Yields every loaded entry with its index. */
export function* loadedEntries(listing: Listing): Generator<[number, Entry]> {
  let start = 0
  for (const { count, entries } of listing.head.pages) {
    for (const [offset, entry] of (entries ?? []).entries()) yield [start + offset, entry]
    start += count
  }
  let end = lengthOf(listing) - 1
  for (const { count, entries } of listing.tail.pages) {
    for (const [offset, entry] of (entries ?? []).entries()) yield [end - offset, entry]
    end -= count
  }
}
