/** The size of the disk that a folder is on, and its free space. */
import { statfs } from 'node:fs/promises'

/** Bytes. */
export interface DiskSpace {
  /** What can still be written now. */
  free: number
  total: number
}

/** Asks the disk of a folder. Blocks reserved for root do not count as free. */
export async function readSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}
