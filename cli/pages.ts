/** Reads a list that the server returns in pages as one list. */
import type { Call } from '../src/api/client.ts'
import { listFiles, type SortKey, type SortOrder } from '../src/api/files.ts'
import type { FileItem } from '../src/api/items.ts'
import { maxPages } from '../src/api/limits.ts'
import { CommandError } from '../terminal/exit.ts'

interface Page<Item> {
  files: Item[]
  next_cursor: string | null
}

const endless = (why: string): CommandError =>
  new CommandError('unexpected', `The server shows a list without end: ${why}`)

/** Throws `unexpected` for an empty page that claims to have a next page. */
export function refuseEmptyPage(entries: readonly unknown[], next: string | null): void {
  if (entries.length === 0 && next !== null) throw endless('nothing is on a page that others are to follow')
}

/**
 * Yields every entry, in the server's order, and requests each page only after the one before has been used. Throws
 * `unexpected` if the list seems endless: a page that follows itself, an empty page, or more pages than any list has.
 */
export async function* readPages<Item>(
  readPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | undefined
  for (let count = 0; count < maxPages; count += 1) {
    const { files, next_cursor } = await readPage(cursor)
    refuseEmptyPage(files, next_cursor)
    yield* files
    if (next_cursor === null) return
    if (next_cursor === cursor) throw endless('a page comes after itself')
    cursor = next_cursor
  }
  throw endless(`more than ${maxPages} pages`)
}

/** Collects everything that a generator yields. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Yields every entry of a folder (null: the root), folders first. */
export const readFolder = (
  call: Call,
  parentId: number | null,
  order: { sort?: SortKey; order?: SortOrder } = {},
): AsyncGenerator<FileItem> =>
  readPages(async cursor => {
    const page = await call(listFiles, { parent_id: parentId, ...order, cursor })
    return { files: [...page.folders, ...page.files], next_cursor: page.next_cursor }
  })
