/** What one run of `filestore download` carries along, and what it does with each file. */
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { getFile } from '../src/api/files.ts'
import type { FileItem } from '../src/api/items.ts'
import { reachPath } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'
import { sendData } from '../terminal/output.ts'
import type { Progress } from '../terminal/progress.ts'
import type { Attempts } from './attempts.ts'
import { type Descend, openDescent } from './descent.ts'
import { hashOf } from './hash.ts'
import { localKey, localNameProblem } from './local-name.ts'
import { findLocal, refuseLink } from './local-path.ts'
import { readFolder } from './pages.ts'
import { readRemote } from './read-remote.ts'
import { saveFile } from './save-file.ts'
import type { SignedIn } from './signed-in.ts'

/** One file to be downloaded; `path` is the local one, null standard output. */
export interface DownloadJob {
  item: FileItem
  path: string | null
  /** Its place among all results, for files end in another order than they begin. */
  order: number
  /** Whether a link at the path is followed: only where a person named the file, or gave this very path. */
  follows: boolean
}

export interface DownloadRun extends SignedIn {
  attempts: Attempts
  progress: Progress
  /** What has come, in the order in which it ended. */
  results: DownloadJob[]
  /** Keys of local paths that this run has taken, so that no second file of the same name replaces the first. */
  taken: Set<string>
  /** How many files were there already. */
  skipped: number
}

/** The path of something under its name on the server, which must be one that cannot lead out of the folder. */
export function pathInside(folder: string, name: string): string {
  const problem = localNameProblem(name)
  if (problem === null) return join(folder, name)
  throw new CommandError('unexpected', `'${name}' cannot be a name on this machine (${problem}): give a local path`)
}

function take({ taken }: DownloadRun, path: string): void {
  const key = localKey(path)
  if (taken.has(key)) throw new CommandError('conflict', `Something else was just now downloaded to '${path}'`)
  taken.add(key)
}

async function makeLocalFolder(path: string): Promise<void> {
  try {
    await mkdir(reachPath(path), { recursive: true })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError('unexpected', `Cannot make the folder '${path}': ${reason}`, { cause: error })
  }
}

/**
 * Yields the files of a folder (null: the root) and of all below it, making the local folders on the way. A link in the
 * place of one of these is left, and what would have come into it.
 */
export async function* findInside(
  run: DownloadRun,
  folderId: number | null,
  path: string,
  nextOrder: () => number,
  descend: Descend = openDescent(),
  level = 1,
): AsyncGenerator<DownloadJob> {
  await makeLocalFolder(path)
  for await (const item of readFolder(run.call, folderId)) {
    try {
      const inside = pathInside(path, item.name)
      take(run, inside)
      const job = { item, path: inside, order: nextOrder(), follows: false }
      if (item.is_directory) {
        descend(item, level)
        await refuseLink(inside)
        run.results.push(job)
        yield* findInside(run, item.id, inside, nextOrder, descend, level + 1)
      } else yield job
    } catch (error) {
      await run.attempts.fail(item.path, error, nextOrder())
    }
  }
}

/** Where an item goes that was named itself: null is standard output; `follows` as DownloadJob says. */
export interface NamedPlace {
  path: string | null
  follows: boolean
}

/** Yields an item that was named itself, or with a folder all below it. Throws `conflict` for a link as `refuseLink`. */
export async function* findNamed(
  run: DownloadRun,
  item: FileItem,
  { path, follows }: NamedPlace,
  nextOrder: () => number,
): AsyncGenerator<DownloadJob> {
  if (path !== null) take(run, path)
  const job = { item, path, order: nextOrder(), follows }
  if (!item.is_directory || path === null) {
    yield job
    return
  }
  if (!follows) await refuseLink(path)
  const descend = openDescent()
  descend(item, 0)
  run.results.push(job)
  yield* findInside(run, item.id, path, nextOrder, descend)
}

/** Whether the very bytes are there already, as after a download of a folder that was cut short. */
async function isThere({ server, call }: DownloadRun, item: FileItem, path: string): Promise<boolean> {
  const local = await findLocal(path)
  if (!local?.isFile() || local.size !== item.size) return false
  const { file } = await call(getFile, { id: item.id })
  // What cannot be read may be replaced all the same.
  const hash = await hashOf(createReadStream(reachPath(path)), server.signal).catch(() => undefined)
  server.signal.throwIfAborted()
  return hash === file.sha256
}

/** Downloads one file to its place, unless its very bytes are there already. Throws `conflict` as `refuseLink`. */
export async function downloadOne(run: DownloadRun, job: DownloadJob): Promise<void> {
  const { item, path, follows } = job
  if (path !== null && !follows) await refuseLink(path)
  if (path !== null && (await isThere(run, item, path))) run.skipped += 1
  else await fetchOne(run, job)
  run.results.push(job)
}

async function fetchOne(run: DownloadRun, { item, path }: DownloadJob): Promise<void> {
  const { signal } = run.server
  const transfer = run.progress.open(item.path, item.size)
  const content = readRemote(run.server, item, transfer.add)
  transfer.begin()
  try {
    if (path === null) await sendData(content, signal)
    else {
      const modifiedAt = item.modified_at === null ? undefined : new Date(item.modified_at)
      await saveFile(path, { content, modifiedAt, signal })
    }
  } finally {
    transfer.end()
  }
}
