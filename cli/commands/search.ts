/** `filestore search`: finds items by a part of their names and by filters. */
import type { Call } from '../../src/api/client.ts'
import type { InputOf } from '../../src/api/endpoint.ts'
import type { SortKey } from '../../src/api/files.ts'
import type { FileItem, ValidationStatus } from '../../src/api/items.ts'
import { maxCountedHits, maxPageSize } from '../../src/api/limits.ts'
import { searchFiles } from '../../src/api/search.ts'
import { countOf } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { findTag } from '../find-tag.ts'
import { formatHits } from '../item-cells.ts'
import { readPages } from '../pages.ts'
import { findRemoteFolder } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface SearchOptions extends ProfileOption {
  limit: number
  type?: string
  minSize?: number
  maxSize?: number
  from?: string
  to?: string
  tag?: string
  status?: ValidationStatus
  meta?: string[]
  in?: string
  sort?: SortKey
  reverse?: boolean
  json?: boolean
}

/** Short names for groups of types, for `--type`. */
const typeWords: Readonly<Record<string, string>> = {
  image: 'image/',
  video: 'video/',
  audio: 'audio/',
  text: 'text/',
  pdf: 'application/pdf',
}

async function readFilters(call: Call, text: string, options: SearchOptions): Promise<InputOf<typeof searchFiles>> {
  return {
    q: text,
    mime_type: options.type === undefined ? undefined : (typeWords[options.type] ?? options.type),
    min_size: options.minSize,
    max_size: options.maxSize,
    date_from: options.from,
    date_to: options.to,
    tag_id: options.tag === undefined ? undefined : (await findTag(call, options.tag)).id,
    status: options.status,
    meta: options.meta,
    sort: options.sort,
    order: options.reverse ? 'desc' : undefined,
    ...(options.in === undefined ? {} : await readFolder(call, options.in)),
  }
}

/** Returns the filter for what is below a folder. The root stands for the own tree, without the other places. */
async function readFolder(call: Call, text: string): Promise<Pick<InputOf<typeof searchFiles>, 'in' | 'scope'>> {
  const folder = await findRemoteFolder(call, text)
  return folder === null ? { scope: 'own' } : { in: folder.id }
}

/** Prints the hits, the newest first or sorted, and says if there are more than `--limit` allows or the server sorts. */
export const search = (text: string, options: SearchOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const filters = await readFilters(call, text, options)
    // Ask for one more hit than is shown, to know if there are more.
    const limit = Math.min(options.limit + 1, maxPageSize)
    const hits: FileItem[] = []
    let isAllSorted = true
    const readPage = async (cursor: string | undefined) => {
      const page = await call(searchFiles, { ...filters, limit, cursor })
      isAllSorted = options.sort === undefined || page.total_is_exact
      return page
    }
    for await (const item of readPages(readPage)) {
      hits.push(item)
      if (hits.length > options.limit) break
    }
    const shown = hits.slice(0, options.limit)
    if (options.json) printJson(shown)
    else if (shown.length > 0) printData(formatHits(shown))
    if (hits.length > shown.length)
      printNotice(`There are more than ${countOf(shown.length, 'hit')}: --limit shows more`)
    if (!isAllSorted) printNotice(`There are more hits: the newest ${maxCountedHits} were sorted`)
    if (shown.length === 0 && !options.json) printNotice('No files found')
  })
