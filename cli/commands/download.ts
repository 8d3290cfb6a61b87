/** `filestore download`: downloads files and folders to this machine or to standard output. */
import { dirname, sep } from 'node:path'
import pMap from 'p-map'
import type { Call } from '../../src/api/client.ts'
import type { FileItem } from '../../src/api/items.ts'
import { CommandError } from '../../terminal/exit.ts'
import { countOf, formatSize, thereAlready } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { openProgress } from '../../terminal/progress.ts'
import { formatTable } from '../../terminal/table.ts'
import { type Attempts, startAttempts } from '../attempts.ts'
import {
  type DownloadJob,
  type DownloadRun,
  downloadOne,
  findInside,
  findNamed,
  type NamedPlace,
  pathInside,
} from '../download-run.ts'
import { downloadArchive } from '../download-zip.ts'
import { findLocal } from '../local-path.ts'
import { collect, readFolder } from '../pages.ts'
import { shownPath } from '../places.ts'
import { findRemote } from '../remote-path.ts'
import { endTogether, type ProfileOption, runSignedIn, type SignedIn } from '../signed-in.ts'

export interface DownloadOptions extends ProfileOption {
  zip?: boolean
  concurrency: number
  json?: boolean
}

/** Where downloads go: into a folder under their own names, to one path, or to standard output. */
type Target = { kind: 'folder' | 'file'; path: string } | { kind: 'stdout' }

/** Chooses the target by what is at the local path now. Throws `usage` if several files have no folder to go to. */
async function chooseTarget(path: string, several: boolean): Promise<Target> {
  if (path === '-') return { kind: 'stdout' }
  if ((await findLocal(path))?.isDirectory()) return { kind: 'folder', path }
  if (!several && !path.endsWith('/')) return { kind: 'file', path }
  const hint = several ? "; of several paths the last is the local folder, '.' for the current one" : ''
  throw new CommandError('usage', `There is no folder '${path}' on this machine${hint}`)
}

function placeOf(target: Target, item: FileItem): NamedPlace {
  if (target.kind === 'folder') return { path: pathInside(target.path, item.name), follows: !item.is_directory }
  if (target.kind === 'file') return { path: target.path, follows: true }
  if (!item.is_directory) return { path: null, follows: false }
  throw new CommandError('usage', `'${shownPath(item)}' is a folder: --zip makes one stream of it`)
}

/** Yields the files of a named item; null is the root. */
async function* findJobs(
  run: DownloadRun,
  item: FileItem | null,
  target: Target,
  nextOrder: () => number,
): AsyncGenerator<DownloadJob> {
  if (item !== null) yield* findNamed(run, item, placeOf(target, item), nextOrder)
  else if (target.kind !== 'stdout') yield* findInside(run, null, target.path, nextOrder)
  else throw new CommandError('usage', "'/' is a folder: --zip makes one stream of it")
}

/** Yields the files of all named items. `only` is the item if there is a single one, since it was looked up before. */
async function* findAll(
  run: DownloadRun,
  texts: readonly string[],
  only: FileItem | null | undefined,
  target: Target,
): AsyncGenerator<DownloadJob> {
  let order = 0
  const nextOrder = () => order++
  for (const text of texts) {
    try {
      const item = only === undefined ? await findRemote(run.call, text) : only
      yield* findJobs(run, item, target, nextOrder)
    } catch (error) {
      await run.attempts.fail(text, error, nextOrder())
    }
  }
}

/** Formats a line for each file; a folder that was named is one line, with the sum of its files. */
function formatResult(results: readonly DownloadJob[]): string {
  const folders = new Set(results.filter(({ item }) => item.is_directory).map(({ path }) => path))
  const isInside = ({ path }: DownloadJob) => path !== null && folders.has(dirname(path))
  const rows = results
    .filter(result => !isInside(result))
    .map(({ item, path }) => {
      if (!item.is_directory) return [formatSize(item.size), path ?? '']
      const files = results.filter(other => !other.item.is_directory && other.path?.startsWith(`${path}${sep}`))
      const size = files.reduce((sum, file) => sum + file.item.size, 0)
      return [formatSize(size), `${path}/ (${countOf(files.length, 'file')})`]
    })
  return formatTable([{ head: 'SIZE', align: 'right' }, { head: 'SAVED AS' }], rows)
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

function printResult(run: DownloadRun, target: Target, isWhole: boolean, oneFile: boolean, json: boolean): void {
  if (run.skipped > 0) printNotice(thereAlready(run.skipped))
  const results = arrivedOf(run, isWhole)
  if (target.kind === 'stdout' || (results.length === 0 && (oneFile || !json))) return
  const items = results.map(({ item }) => item)
  if (json) printJson(oneFile ? items[0] : items)
  else printData(formatResult(results))
}

async function downloadFiles(
  signedIn: SignedIn,
  remotes: readonly string[],
  target: Target,
  options: DownloadOptions,
): Promise<void> {
  const [first = ''] = remotes
  const only = remotes.length === 1 ? await findRemote(signedIn.call, first) : undefined
  const oneFile = only?.is_directory === false
  const attempts: Attempts = startAttempts(signedIn.server, oneFile)
  await endTogether(signedIn, async ({ server, call }) => {
    const progress = await openProgress()
    const run: DownloadRun = { server, call, attempts, progress, results: [], taken: new Set(), skipped: 0 }
    let isWhole = false
    try {
      const work = (job: DownloadJob) => attempts.run(shownPath(job.item), () => downloadOne(run, job), job.order)
      // On standard output the files must follow one another.
      const concurrency = target.kind === 'stdout' ? 1 : options.concurrency
      await pMap(findAll(run, remotes, only, target), work, { concurrency })
      attempts.finish()
      isWhole = true
    } finally {
      run.progress.stop()
      printResult(run, target, isWhole, oneFile, options.json === true)
    }
  })
}

/** Returns the named items; for the root, everything in it. */
async function findItems(call: Call, texts: readonly string[]): Promise<FileItem[]> {
  const items: FileItem[] = []
  for (const text of texts) {
    const item = await findRemote(call, text)
    if (item !== null) items.push(item)
    else items.push(...(await collect(readFolder(call, null))))
  }
  return items
}

async function downloadZip(
  { server, call }: SignedIn,
  remotes: readonly string[],
  target: Target,
  json: boolean,
): Promise<void> {
  const items = await findItems(call, remotes)
  const place = target.kind === 'stdout' ? {} : { [target.kind]: target.path }
  const progress = await openProgress()
  const { path, size } = await downloadArchive(server, items, place, progress).finally(progress.stop)
  if (path === null) return
  if (json) printJson(items)
  else printData(formatTable([{ head: 'SIZE', align: 'right' }, { head: 'SAVED AS' }], [[formatSize(size), path]]))
}

/** Downloads a single path to the current folder, or all paths but the last to the last one. */
export async function download(paths: string[], options: DownloadOptions): Promise<void> {
  const remotes = paths.length > 1 ? paths.slice(0, -1) : paths
  const hasOneTarget = remotes.length === 1 || options.zip === true
  const target = await chooseTarget(paths.length > 1 ? (paths.at(-1) ?? '.') : '.', !hasOneTarget)
  if (target.kind === 'stdout' && options.json) {
    throw new CommandError('usage', 'Standard output cannot take both the bytes and the JSON document')
  }
  await runSignedIn(options, signedIn =>
    options.zip
      ? downloadZip(signedIn, remotes, target, options.json === true)
      : downloadFiles(signedIn, remotes, target, options),
  )
}
