/** Reads small text files that somebody else may have replaced by something that is no file. */
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { systemCode } from './errors.ts'

/** A folder, a pipe, a device or a socket stands where a file should be. */
export class NoFileError extends Error {
  constructor(path: string) {
    super(`${path} is not a regular file`)
    this.name = 'NoFileError'
  }
}

/** The most bytes of such a file. The largest is the manifest of a backup, with 110 for 250 to 1,000 rows. */
export const mostTextBytes = 256 * 1024 ** 2
/** The most bytes of one that holds a secret, a mark or a few words. */
export const mostWordsBytes = 16 * 1024

/** A file is larger than any that filestore writes, and could fill the memory. */
export class TooLargeError extends Error {
  constructor(path: string, most: number) {
    super(`${path} has more than ${most < 1024 ** 2 ? `${most / 1024} KB` : `${most / 1024 ** 2} MB`}`)
    this.name = 'TooLargeError'
  }
}

/** The errors of a socket, and of a link that may not be followed or leads to itself. */
const noFileCodes = ['ENXIO', 'ELOOP']

/**
 * Reads a whole text file; follows links if they are allowed. Throws `NoFileError` for anything but a regular file: a
 * read of a pipe, whoever put it there, would never end. Throws `TooLargeError` above `most` bytes.
 */
export async function readText(path: string, { followsLinks = false, most = mostTextBytes } = {}): Promise<string> {
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants
  const file = await open(path, O_RDONLY | O_NONBLOCK | (followsLinks ? 0 : O_NOFOLLOW)).catch(error => {
    throw noFileCodes.includes(systemCode(error) ?? '') ? new NoFileError(path) : error
  })
  try {
    const stats = await file.stat()
    if (!stats.isFile()) throw new NoFileError(path)
    if (stats.size > most) throw new TooLargeError(path, most)
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

/**
 * Reads a text file that a setting names, which may be a pipe. Throws `TooLargeError` above `most` bytes, without reading
 * on: a device may have no end.
 */
export function readTextSync(path: string, most: number): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(most + 1)
    let size = 0
    for (let count = -1; count !== 0; size += count) count = readSync(file, bytes, size, bytes.length - size, null)
    if (size > most) throw new TooLargeError(path, most)
    return bytes.toString('utf8', 0, size)
  } finally {
    closeSync(file)
  }
}
