/** Lists that the server answers in pages, as one. */
import type { Call } from '../src/api/client.ts'
import { listFiles, type SortKey, type SortOrder } from '../src/api/files.ts'
import type { FileItem } from '../src/api/items.ts'

interface Page<Item> {
  files: Item[]
  next_cursor: string | null
}

/** Every entry, in the server's order; the next page is asked for when the one before has been taken. */
export async function* readPages<Item>(
  readPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | undefined
  do {
    const page = await readPage(cursor)
    yield* page.files
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
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
