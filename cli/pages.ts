/** Lists that the server answers in pages, as one. */
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

/** Throws `unexpected` for a page with nothing on it that is said to have others behind it. */
export function refuseEmptyPage(entries: readonly unknown[], next: string | null): void {
  if (entries.length === 0 && next !== null) throw endless('nothing is on a page that others are to follow')
}

/**
 * Every entry, in the server's order; the next page is asked for when the one before has been taken. Throws `unexpected`
 * where no end is to be seen: a page comes after itself, brings nothing, or is one of more than any list has.
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

/** All that a generator yields. */
export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Every entry of a folder (null: the root), folders first. */
export const readFolder = (
  call: Call,
  parentId: number | null,
  order: { sort?: SortKey; order?: SortOrder } = {},
): AsyncGenerator<FileItem> =>
  readPages(async cursor => {
    const page = await call(listFiles, { parent_id: parentId, ...order, cursor })
    return { files: [...page.folders, ...page.files], next_cursor: page.next_cursor }
  })
