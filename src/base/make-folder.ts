/** Makes the folders that settings and command lines name. */
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError, systemCode } from './errors.ts'

/** The system's errors about a path that leads to no folder. */
const noFolderCodes = ['EEXIST', 'ELOOP', 'ENAMETOOLONG', 'ENOENT', 'ENOTDIR']

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    stats => stats.isDirectory(),
    error => {
      if (noFolderCodes.includes(systemCode(error) ?? '')) return false
      throw error
    },
  )

async function makeAll(path: string): Promise<void> {
  if (await isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) await makeAll(parent)
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have been first.
    if (systemCode(error) !== 'EEXIST' || !(await isFolder(path))) throw error
  }
}

/**
 * Makes a folder that only its owner can read, and those above it. One that is there stays as it is. Node's own
 * `recursive` tries for ever in a folder that takes no new ones and denies that it is there, as /proc does. Throws
 * `invalid_input` where there can be no folder.
 */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeAll(path)
  } catch (error) {
    if (!(error instanceof Error) || !noFolderCodes.includes(systemCode(error) ?? '')) throw error
    throw new AppError('invalid_input', `There can be no folder ${path} (${error.message})`, { cause: error })
  }
}
