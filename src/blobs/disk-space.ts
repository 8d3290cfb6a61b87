/** How much the disk of a folder holds, and may still take. */
import { statfs } from 'node:fs/promises'

/** Bytes. */
export interface DiskSpace {
  /** What the disk may still take, as it stands now. */
  free: number
  total: number
}

/** Asks the disk of a folder. What root alone may use is not free to the server. */
export async function readSpace(folder: string): Promise<DiskSpace> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { free: bavail * bsize, total: blocks * bsize }
}
