/** `filestore download`: downloads files and folders to this machine or to standard output. */
import type { Call } from '../../src/api/client.ts'
import type { FileItem } from '../../src/api/items.ts'
import { CommandError } from '../../terminal/exit.ts'
import { startAttempts } from '../attempts.ts'
import { downloadAll } from '../download-all.ts'
import { type DownloadJob, type DownloadRun, findInside, findNamed } from '../download-run.ts'
import { checkName, chooseTarget, type Destination, namesItem, placeOf, refuseUntyped } from '../download-target.ts'
import { archiveOf, saveArchive } from '../download-zip.ts'
import { type LinkAddress, readLinkAddress } from '../link-address.ts'
import { downloadFromLink } from '../link-download.ts'
import { collect, readFolder } from '../pages.ts'
import { filesOf } from '../remote-files.ts'
import { findRemote } from '../remote-path.ts'
import { endTogether, type ProfileOption, runSignedIn, type SignedIn } from '../signed-in.ts'
import type { PasswordOption } from '../visit.ts'

export interface DownloadOptions extends ProfileOption, PasswordOption {
  zip?: boolean
  concurrency: number
  json?: boolean
}

/** Returns the item at a path, or null for the root. Throws like `findRemote`, `checkName` and `refuseUntyped`. */
async function findItem(call: Call, text: string, destination: Destination): Promise<FileItem | null> {
  const item = await findRemote(call, text)
  if (item === null) return null
  checkName(destination.target, item, text)
  refuseUntyped(destination, item, `'${text}' is`)
  return item
}

/** Yields the files of a named item; null is the root. */
async function* findJobs(
  run: DownloadRun,
  item: FileItem | null,
  { target }: Destination,
  nextOrder: () => number,
): AsyncGenerator<DownloadJob> {
  if (item !== null) yield* findNamed(run, item, placeOf(target, item), nextOrder)
  else if (target.kind !== 'stdout') yield* findInside(run, null, target.path, nextOrder)
  else throw new CommandError('usage', "'/' is a folder: --zip makes one stream of it")
}

/** Yields the files of all named items. `only` is the item if there is a single one, since it was looked up before. */
async function* findAll(
  call: Call,
  run: DownloadRun,
  texts: readonly string[],
  only: FileItem | null | undefined,
  destination: Destination,
): AsyncGenerator<DownloadJob> {
  let order = 0
  const nextOrder = () => order++
  for (const text of texts) {
    try {
      const item = only === undefined ? await findItem(call, text, destination) : only
      yield* findJobs(run, item, destination, nextOrder)
    } catch (error) {
      await run.attempts.fail(text, error, nextOrder())
    }
  }
}

async function downloadFiles(
  signedIn: SignedIn,
  remotes: readonly string[],
  destination: Destination,
  { concurrency, json = false }: DownloadOptions,
): Promise<void> {
  const [first = ''] = remotes
  const only = remotes.length === 1 ? await findItem(signedIn.call, first, destination) : undefined
  const oneFile = only?.is_directory === false
  const attempts = startAttempts(signedIn.server, oneFile)
  await endTogether(signedIn, ({ server, call }) =>
    downloadAll({ server, remote: filesOf(call) }, run => findAll(call, run, remotes, only, destination), {
      ...destination,
      oneFile,
      concurrency,
      json,
      attempts,
    }),
  )
}

/** Returns the named items; for the root, everything in it. */
async function findItems(call: Call, texts: readonly string[], destination: Destination): Promise<FileItem[]> {
  const items: FileItem[] = []
  for (const text of texts) {
    const item = await findItem(call, text, destination)
    if (item !== null) items.push(item)
    else items.push(...(await collect(readFolder(call, null))))
  }
  return items
}

async function downloadZip(
  { server, call }: SignedIn,
  remotes: readonly string[],
  destination: Destination,
  json: boolean,
) {
  const items = await findItems(call, remotes, destination)
  const archive = archiveOf(items)
  refuseUntyped(destination, archive, 'The ZIP file is')
  await saveArchive(server, archive, destination, json ? items : undefined)
}

/** Returns the link among the paths, if there is one. Throws `usage` if it is not alone. */
function linkIn(paths: readonly string[]): LinkAddress | undefined {
  const [first, ...others] = paths.map(readLinkAddress)
  if (others.some(link => link !== undefined) || (first !== undefined && paths.length > 2)) {
    throw new CommandError('usage', 'Download a link by itself: filestore download <link> [local]')
  }
  return first
}

/** Downloads a single path to the current folder, or all paths but the last to the last one. */
export async function download(paths: string[], options: DownloadOptions): Promise<void> {
  const link = linkIn(paths)
  const remotes = paths.length > 1 ? paths.slice(0, -1) : paths
  const hasOneTarget = remotes.length === 1 || options.zip === true
  const target = await chooseTarget(paths.length > 1 ? (paths.at(-1) ?? '.') : '.', !hasOneTarget)
  if (target.kind === 'stdout' && options.json) {
    throw new CommandError('usage', 'Standard output cannot take both the bytes and the JSON document')
  }
  const isPlaced = paths.length > 1
  if (link !== undefined) return downloadFromLink(link, { target, replaces: isPlaced }, options)
  if (options.passwordStdin) throw new CommandError('usage', '--password-stdin is for links')
  const destination = { target, replaces: isPlaced || remotes.every(namesItem) }
  await runSignedIn(options, signedIn =>
    options.zip
      ? downloadZip(signedIn, remotes, destination, options.json === true)
      : downloadFiles(signedIn, remotes, destination, options),
  )
}
