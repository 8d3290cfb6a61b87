/** Reads the recent files. */
import type { Call } from '../src/api/client.ts'
import type { OutputOf } from '../src/api/endpoint.ts'
import { maxPages } from '../src/api/limits.ts'
import { listRecent } from '../src/api/search.ts'
import { CommandError } from '../terminal/exit.ts'

/**
 * Reads a page. The server may answer an empty one that leads on, when very many files are in the trash; it is passed
 * over. Throws `unexpected` if no page has files and none is the last.
 */
export async function readRecentPage(
  call: Call,
  { limit, cursor }: { limit: number; cursor: string | undefined },
): Promise<OutputOf<typeof listRecent>> {
  let next = cursor
  for (let count = 0; count < maxPages; count += 1) {
    const page = await call(listRecent, { limit, cursor: next })
    if (page.files.length > 0 || page.next_cursor === null) return page
    next = page.next_cursor
  }
  throw new CommandError('unexpected', 'The server shows a list of recent files without end')
}
