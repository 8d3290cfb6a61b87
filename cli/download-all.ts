/** Downloads the files of a run, several at once, and prints what has arrived. */
import { dirname, sep } from 'node:path'
import pMap from 'p-map'
import { countOf, formatSize, thereAlready } from '../terminal/format.ts'
import { printData, printJson, printNotice } from '../terminal/output.ts'
import { openProgress } from '../terminal/progress.ts'
import { formatTable } from '../terminal/table.ts'
import type { Attempts } from './attempts.ts'
import type { Server } from './client.ts'
import { type DownloadJob, type DownloadRun, downloadOne } from './download-run.ts'
import type { Destination } from './download-target.ts'
import type { RemoteFiles } from './remote-files.ts'
import { labelOf } from './remote-item.ts'

/** Formats the sizes of what was downloaded, and where it is. */
export const formatSaved = (rows: readonly (readonly [size: string, path: string])[]): string =>
  formatTable([{ head: 'SIZE', align: 'right' }, { head: 'SAVED AS' }], rows)

/** Formats a line for each file; a folder that was named is one line, with the sum of its files. */
function formatResult(results: readonly DownloadJob[]): string {
  const folders = new Set(results.filter(({ item }) => item.is_directory).map(({ path }) => path))
  const isInside = ({ path }: DownloadJob) => path !== null && folders.has(dirname(path))
  const rows = results
    .filter(result => !isInside(result))
    .map(({ item, path }): [string, string] => {
      if (!item.is_directory) return [formatSize(item.size), path ?? '']
      const files = results.filter(other => !other.item.is_directory && other.path?.startsWith(`${path}${sep}`))
      const size = files.reduce((sum, file) => sum + file.item.size, 0)
      return [formatSize(size), `${path}/ (${countOf(files.length, 'file')})`]
    })
  return formatSaved(rows)
}

/** Returns the results in order. An interrupted run leaves out folders into which no file was downloaded. */
function arrivedOf({ results }: DownloadRun, isWhole: boolean): DownloadJob[] {
  const ordered = results.toSorted((one, other) => one.order - other.order)
  if (isWhole) return ordered
  const filled = new Set<string>()
  for (const { item, path } of ordered) {
    if (item.is_directory || path === null) continue
    for (let folder = dirname(path); !filled.has(folder); folder = dirname(folder)) filled.add(folder)
  }
  return ordered.filter(({ item, path }) => !item.is_directory || path === null || filled.has(path))
}

interface Wanted extends Destination {
  /** Whether a single file was named, so that the result is no list. */
  oneFile: boolean
  concurrency: number
  json: boolean
  attempts: Attempts
}

function printResult(run: DownloadRun, { target, oneFile, json }: Wanted, isWhole: boolean): void {
  if (run.skipped > 0) printNotice(thereAlready(run.skipped))
  const results = arrivedOf(run, isWhole)
  if (target.kind === 'stdout' || (results.length === 0 && (oneFile || !json))) return
  const items = results.map(({ item }) => item)
  if (json) printJson(oneFile ? items[0] : items)
  else printData(formatResult(results))
}

/** Downloads all files that `findJobs` yields. */
export async function downloadAll(
  { server, remote }: { server: Server; remote: RemoteFiles },
  findJobs: (run: DownloadRun) => AsyncIterable<DownloadJob>,
  wanted: Wanted,
): Promise<void> {
  const { attempts, replaces } = wanted
  const progress = await openProgress()
  const run: DownloadRun = { server, remote, attempts, progress, replaces, results: [], taken: new Set(), skipped: 0 }
  let isWhole = false
  try {
    const work = (job: DownloadJob) => attempts.run(labelOf(job.item), () => downloadOne(run, job), job.order)
    // On standard output the files must follow one another.
    const concurrency = wanted.target.kind === 'stdout' ? 1 : wanted.concurrency
    await pMap(findJobs(run), work, { concurrency })
    attempts.finish()
    isWhole = true
  } finally {
    progress.stop()
    printResult(run, wanted, isWhole)
  }
}
