/** The state of one run of `filestore download`, and what it does with each file. */
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { reachPath } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'
import { sendData } from '../terminal/output.ts'
import type { Progress } from '../terminal/progress.ts'
import type { Attempts } from './attempts.ts'
import type { Server } from './client.ts'
import { type Descend, openDescent } from './descent.ts'
import { hashOf } from './hash.ts'
import { localKey, localNameProblem, refuseHidden } from './local-name.ts'
import { findLocal, refuseLink, refuseTaken } from './local-path.ts'
import { readRemote } from './read-remote.ts'
import type { RemoteFiles } from './remote-files.ts'
import { labelOf, type RemoteItem } from './remote-item.ts'
import { saveFile } from './save-file.ts'

/** One file to download. `path` is the local path; null is standard output. */
export interface DownloadJob {
  item: RemoteItem
  path: string | null
  /** Its place among all results, because files do not end in the order in which they start. */
  order: number
  /** Whether to follow a link at the path: only if the person named the file, or gave exactly this path. */
  follows: boolean
}

export interface DownloadRun {
  server: Server
  remote: RemoteFiles
  attempts: Attempts
  progress: Progress
  /** Whether files that are there with other bytes are replaced. */
  replaces: boolean
  /** The downloaded items, in the order in which they ended. */
  results: DownloadJob[]
  /**
   * Keys of the local paths that this run has used, so that a second file of the same name does not replace the first.
   */
  taken: Set<string>
  /** The number of files that were already there. */
  skipped: number
}

/**
 * Returns the local path of an item in a folder. Throws `unexpected` if its name could lead out of the folder or is not
 * allowed on this machine.
 */
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
 * Yields the files of a folder (null: the root) and of all folders below it, and creates the local folders on the way.
 * If a link stands in the place of a local folder, that folder is skipped with its contents.
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
  for await (const item of run.remote.readFolder(folderId)) {
    try {
      const inside = pathInside(path, item.name)
      // What is in the root goes into the local folder itself.
      if (folderId === null && !run.replaces) refuseHidden(item.name, "In '/' there is")
      take(run, inside)
      const job = { item, path: inside, order: nextOrder(), follows: false }
      if (item.is_directory) {
        descend(item, level)
        await refuseLink(inside)
        run.results.push(job)
        yield* findInside(run, item.id, inside, nextOrder, descend, level + 1)
      } else yield job
    } catch (error) {
      await run.attempts.fail(labelOf(item), error, nextOrder())
    }
  }
}

/** Where an item goes that the person named. A `path` of null is standard output; for `follows` see `DownloadJob`. */
export interface NamedPlace {
  path: string | null
  follows: boolean
}

/** Yields a named file, or all files below a named folder. Throws `conflict` for a link, like `refuseLink`. */
export async function* findNamed(
  run: DownloadRun,
  item: RemoteItem,
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

/** Whether the local file already has the same bytes, as after an interrupted download of a folder. */
async function isThere({ server, remote }: DownloadRun, item: RemoteItem, path: string): Promise<boolean> {
  const local = await findLocal(path)
  if (!local?.isFile() || local.size !== item.size) return false
  const expected = await remote.readHash(item.id)
  // A file that cannot be read counts as different; replacing it may still work.
  const hash = await hashOf(createReadStream(reachPath(path)), server.signal).catch(() => undefined)
  server.signal.throwIfAborted()
  return hash !== undefined && hash === expected
}

/**
 * Downloads one file, unless the local file already has the same bytes. Throws `conflict` like `refuseLink` and, in a run
 * that replaces nothing, like `refuseTaken`.
 */
export async function downloadOne(run: DownloadRun, job: DownloadJob): Promise<void> {
  const { item, path, follows } = job
  if (path !== null && !follows) await refuseLink(path)
  if (path !== null && (await isThere(run, item, path))) run.skipped += 1
  else {
    if (path !== null && !run.replaces) await refuseTaken(path)
    await fetchOne(run, job)
  }
  run.results.push(job)
}

async function fetchOne(run: DownloadRun, { item, path }: DownloadJob): Promise<void> {
  const { signal } = run.server
  const transfer = run.progress.open(labelOf(item), item.size)
  const content = readRemote(run.server, item, run.remote.bytesPath(item.id), transfer.add)
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
