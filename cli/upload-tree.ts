/** Finds the files of a local path: a file, a stream, or everything in a folder. */
import { createReadStream, type Dirent, type Stats } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ApiError } from '../src/api/client.ts'
import { createFolder } from '../src/api/files.ts'
import { processContext, reachPath } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'
import { printNotice } from '../terminal/output.ts'
import { findLocal, requireLocal } from './local-path.ts'
import { shownPath } from './places.ts'
import { fileSource, type Source } from './upload-file.ts'
import { findStanding, type RemoteFolder, type UploadJob, type UploadRun } from './upload-run.ts'

/** The source of `-`. */
const stdinSource: Source = {
  label: 'standard input',
  size: undefined,
  modifiedAt: undefined,
  open: () => processContext().stdin,
}

/**
 * Returns the source of a path. A pipe or device that the person named, such as `<(command)`, is read like standard
 * input.
 */
const sourceOf = (path: string, stats: Stats): Source =>
  stats.isFile()
    ? fileSource(path, stats.size, stats.mtime)
    : { label: path, size: undefined, modifiedAt: undefined, open: () => createReadStream(reachPath(path)) }

/** Returns the source of `-` or of a file; undefined for a folder. Throws `usage` if nothing is there. */
export async function findSource(path: string): Promise<Source | undefined> {
  if (path === '-') return stdinSource
  const stats = await requireLocal(path)
  return stats.isDirectory() ? undefined : sourceOf(path, stats)
}

/** Whether to skip an entry: links to folders, which may form a loop, sockets, pipes and devices. */
async function isLeftOut(path: string, entry: Dirent): Promise<boolean> {
  if (entry.isSymbolicLink()) return (await findLocal(path))?.isFile() !== true
  return !entry.isFile() && !entry.isDirectory()
}

const isTaken = (error: unknown): boolean => error instanceof ApiError && error.code === 'name_taken'

/** Creates the folder or uses the existing one, and records it. */
async function makeFolder(run: UploadRun, parent: RemoteFolder, name: string, order: number): Promise<RemoteFolder> {
  const input = { name, parent_id: parent.id }
  // A second attempt may find the folder that the first one created, which then counts as an existing one.
  const made = await run.callRepeatable(createFolder, input).catch(error => {
    if (!isTaken(error)) throw error
  })
  const { file } = made ?? (await run.callRepeatable(createFolder, { ...input, exist_ok: true }))
  run.made.push({ order, item: file })
  return { id: file.id, path: shownPath(file), names: [...parent.names, name], isNew: made !== undefined }
}

/** Returns the folder that a dry run would create or use. */
async function planFolder(run: UploadRun, parent: RemoteFolder, name: string, order: number): Promise<RemoteFolder> {
  const path = `${parent.path}/${name}`
  const names = [...parent.names, name]
  const standing = parent.isNew ? undefined : await findStanding(run, parent, name)
  if (standing?.is_directory === false) {
    throw new CommandError('conflict', `'${path}' is a file on the server, so there can be no folder of that name`)
  }
  if (standing !== undefined) return { id: standing.id, path, names, isNew: false }
  run.planned.push({ order, item: { action: 'create', path, size: null } })
  return { id: null, path, names, isNew: true }
}

/** Yields the files of a local path in order, and creates the folders on the way. Records failures inside a folder. */
export async function* findJobs(
  run: UploadRun,
  path: string,
  name: string,
  folder: RemoteFolder,
  nextOrder: () => number,
): AsyncGenerator<UploadJob> {
  const source = await findSource(path)
  if (source !== undefined) {
    yield { source, name, folder, order: nextOrder() }
    return
  }
  const inside = await (run.isDry ? planFolder : makeFolder)(run, folder, name, nextOrder())
  const entries = await readdir(reachPath(path), { withFileTypes: true })
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of entries) {
    const child = join(path, entry.name)
    try {
      if (await isLeftOut(child, entry)) {
        printNotice(`Left out '${child}': no file or folder (links to folders are not followed)`)
      } else yield* findJobs(run, child, entry.name, inside, nextOrder)
    } catch (error) {
      await run.attempts.fail(child, error, nextOrder())
    }
  }
}
