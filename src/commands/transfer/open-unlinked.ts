/** Opens files and folders of somebody who may put links in their places meanwhile. */
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { AppError, systemCode } from '../../base/errors.ts'
import { readFlags } from '../../blobs/local-access.ts'

const isLinux = process.platform === 'linux'

/** A path of what is open, wherever its old path leads by now. Only Linux has one; elsewhere it is the old path. */
export const pathOfOpen = ({ fd }: FileHandle, path: string): string => (isLinux ? `/proc/self/fd/${fd}` : path)

/** Says that what was found is a link by now, lies below one, or is no file any more. */
export const replaced = () => new AppError('invalid_input', 'It was replaced meanwhile; links are not followed')

/**
 * Opens a file or folder for reading. `path` must be real, without links. Throws `invalid_input` if a link has replaced
 * the last part of it or any folder above, since what was opened then has another path, or a pipe or a device has.
 */
export async function openUnlinked(path: string): Promise<FileHandle> {
  const file = await open(path, readFlags).catch(error => {
    throw systemCode(error) === 'ELOOP' ? replaced() : error
  })
  const real = await (isLinux ? readlink(pathOfOpen(file, path)) : realpath(path)).catch(() => undefined)
  const stats = await file.stat()
  if (real === path && (stats.isFile() || stats.isDirectory())) return file
  await file.close()
  throw replaced()
}

/**
 * Runs `work` with a path of a folder that leads to that folder alone, even if somebody puts a link into its place
 * meanwhile. Throws as `openUnlinked`.
 */
export async function inFolder<Result>(path: string, work: (at: string) => Promise<Result>): Promise<Result> {
  const folder = await openUnlinked(path)
  try {
    return await work(pathOfOpen(folder, path))
  } finally {
    await folder.close()
  }
}
