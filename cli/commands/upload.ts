/** `filestore upload`: uploads files, folders with everything in them, and standard input. */
import { basename } from 'node:path'
import type { Call } from '../../src/api/client.ts'
import type { ConflictRule } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { nameProblem } from '../../src/api/names.ts'
import { resolvePath } from '../../src/base/process-context.ts'
import { CommandError } from '../../terminal/exit.ts'
import { countOf, formatSize, thereAlready } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { openProgress } from '../../terminal/progress.ts'
import { formatTable } from '../../terminal/table.ts'
import { startAttempts } from '../attempts.ts'
import { createCall } from '../client.ts'
import { readLinkAddress } from '../link-address.ts'
import { uploadToLink } from '../link-upload.ts'
import { findLocal } from '../local-path.ts'
import { shownPath } from '../places.ts'
import { findRemoteFolder } from '../remote-path.ts'
import { endTogether, type ProfileOption, runSignedIn } from '../signed-in.ts'
import { uploadAll } from '../upload-all.ts'
import { readMetadata } from '../upload-metadata.ts'
import { inOrder, type PlannedItem, type RemoteFolder, type UploadJob, type UploadRun } from '../upload-run.ts'
import { findJobs } from '../upload-tree.ts'
import type { PasswordOption } from '../visit.ts'
import { discardUploads } from './discard-uploads.ts'

export interface UploadOptions extends ProfileOption, PasswordOption {
  to: string
  name?: string
  onConflict: ConflictRule
  metadata?: string[]
  sender?: string
  concurrency: number
  dryRun?: boolean
  discard?: boolean
  yes?: boolean
  json?: boolean
}

function checkArguments(paths: readonly string[], name: string | undefined): void {
  if (name !== undefined && paths.length > 1) throw new CommandError('usage', '--name is for a single file or folder')
  const problem = name === undefined ? null : nameProblem(name.normalize('NFC'))
  if (problem !== null) throw new CommandError('usage', `--name '${name}': ${problem}; --to names the folder`)
  if (name === undefined && paths.includes('-')) {
    throw new CommandError('usage', 'Standard input has no name of its own: upload it alone and give --name')
  }
}

/** Returns the last part of a path, also for `.` and `folder/`. */
function nameOf(path: string): string {
  const name = basename(resolvePath(path))
  if (name === '') throw new CommandError('usage', `'${path}' has no name: give one with --name`)
  return name
}

/** Formats a line for each item directly in the target; a folder's line has the sum of the files uploaded into it. */
function formatMade(items: readonly FileItem[], parentId: number | null): string {
  const rows = items
    .filter(item => item.parent_id === parentId)
    .map(item => {
      if (!item.is_directory) return [formatSize(item.size), shownPath(item)]
      const files = items.filter(other => !other.is_directory && other.path.startsWith(`${item.path}/`))
      const size = files.reduce((sum, file) => sum + file.size, 0)
      return [formatSize(size), `${shownPath(item)}/ (${countOf(files.length, 'file')})`]
    })
  return formatTable([{ head: 'SIZE', align: 'right' }, { head: 'PATH' }], rows)
}

const formatPlanned = (items: readonly PlannedItem[]): string =>
  formatTable(
    [{ head: 'ACTION' }, { head: 'SIZE', align: 'right' }, { head: 'PATH' }],
    items.map(({ action, size, path }) => [action, size === null ? '-' : formatSize(size), path]),
  )

function printResult(run: UploadRun, target: RemoteFolder, oneFile: boolean, json: boolean): void {
  const made = inOrder(run.made)
  const planned = inOrder(run.planned)
  const items = run.isDry ? planned : made
  if (run.skipped > 0 && !run.isDry) printNotice(thereAlready(run.skipped))
  if (items.length === 0 && (oneFile || !json)) return
  if (json) printJson(oneFile ? items[0] : items)
  else printData(run.isDry ? formatPlanned(planned) : formatMade(made, target.id))
}

/** Finds the target folder. Throws `notFound`. */
async function findTarget(call: Call, text: string): Promise<RemoteFolder> {
  const folder = await findRemoteFolder(call, text)
  return { id: folder?.id ?? null, path: folder === null ? '' : shownPath(folder), names: [], isNew: false }
}

/** Uploads all paths, then prints the results: with --json an item for a single file, otherwise a list. */
export async function upload(paths: string[], options: UploadOptions): Promise<void> {
  if (options.discard) return discardUploads(paths, options)
  if (paths.length === 0)
    throw new CommandError('usage', 'Name what to upload: files, folders, or - for standard input')
  checkArguments(paths, options.name)
  const link = readLinkAddress(options.to)
  if (link === undefined) return uploadSignedIn(paths, options)
  const files = paths.map(path => ({ path, name: options.name ?? nameOf(path) }))
  await uploadToLink(link, files, options)
}

async function uploadSignedIn(paths: readonly string[], options: UploadOptions): Promise<void> {
  if (options.passwordStdin || options.sender !== undefined) {
    throw new CommandError('usage', '--password-stdin and --sender are for links')
  }
  const [only = ''] = paths
  const oneFile = paths.length === 1 && (only === '-' || (await findLocal(only))?.isDirectory() !== true)
  await runSignedIn(options, async signedIn => {
    const target = await findTarget(signedIn.call, options.to)
    const metadata = await readMetadata(signedIn.call, options.metadata ?? [])
    const attempts = startAttempts(signedIn.server, oneFile)
    await endTogether(signedIn, async ({ server, call }) => {
      const run: UploadRun = {
        server,
        call,
        callRepeatable: createCall(server, { repeatable: true }),
        target,
        onConflict: options.onConflict,
        metadata,
        isDry: options.dryRun === true,
        attempts,
        progress: await openProgress(),
        onTheWay: new Set(),
        made: [],
        planned: [],
        skipped: 0,
      }
      try {
        await uploadAll(run, findAll(run, paths, options.name), options.concurrency)
      } finally {
        run.progress.stop()
        printResult(run, target, oneFile, options.json === true)
      }
    })
    attempts.finish()
  })
}

/** Yields the files of all paths, in order. */
async function* findAll(run: UploadRun, paths: readonly string[], name: string | undefined): AsyncGenerator<UploadJob> {
  let order = 0
  const nextOrder = () => order++
  for (const path of paths) {
    try {
      yield* findJobs(run, path, name ?? nameOf(path), run.target, nextOrder)
    } catch (error) {
      await run.attempts.fail(path, error, nextOrder())
    }
  }
}
