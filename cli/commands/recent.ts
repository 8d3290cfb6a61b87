/** `filestore recent`: the files that changed last. */
import type { FileItem } from '../../src/api/items.ts'
import { maxPageSize } from '../../src/api/limits.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { formatHits } from '../item-cells.ts'
import { readRecentPage } from '../recent-page.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface RecentOptions extends ProfileOption {
  limit: number
  json?: boolean
}

/** Prints them, the newest first. */
export const showRecent = (options: RecentOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const files: FileItem[] = []
    let cursor: string | undefined
    do {
      const limit = Math.min(options.limit - files.length, maxPageSize)
      const page = await readRecentPage(call, { limit, cursor })
      files.push(...page.files)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined && files.length < options.limit)
    if (options.json) return printJson(files)
    if (files.length === 0) return printNotice('No files yet')
    printData(formatHits(files))
  })
