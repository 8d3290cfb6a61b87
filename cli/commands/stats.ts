/** `filestore stats`: counts files by kind, and shows the newest. */
import { getFileStats } from '../../src/api/search.ts'
import { formatSize } from '../../terminal/format.ts'
import { printData, printJson } from '../../terminal/output.ts'
import { formatRecord, formatTable } from '../../terminal/table.ts'
import { formatHits } from '../item-cells.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface StatsOptions extends ProfileOption {
  json?: boolean
}

export const showStats = (options: StatsOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const stats = await call(getFileStats, {})
    if (options.json) return printJson(stats)
    const bytes = stats.by_kind.reduce((sum, kind) => sum + kind.bytes, 0)
    const counts = formatRecord([
      ['Files', String(stats.total_files)],
      ['Folders', String(stats.total_folders)],
      ['Size', formatSize(bytes)],
    ])
    const kinds = formatTable(
      [{ head: 'SIZE', align: 'right' }, { head: 'FILES', align: 'right' }, { head: 'KIND' }],
      stats.by_kind.map(({ kind, files, bytes }) => [formatSize(bytes), String(files), kind]),
    )
    const parts =
      stats.total_files === 0 ? [counts] : [counts, kinds, `Newest files:\n${formatHits(stats.recent_files)}`]
    printData(parts.join('\n\n'))
  })
