/** Files without a name, for bytes that have no room in memory. They are gone with the process. */
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { noBytes } from './failures.ts'

/** Bytes that are read at a time. */
const readAtOnce = 64 * 1024
const flags = constants.O_RDWR | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

export interface SpillFile {
  /** Writes on behind what is there. */
  add(bytes: Buffer): Promise<void>
  /** Reads so many bytes from the beginning. */
  read(size: number): AsyncGenerator<Buffer>
  close(): Promise<void>
}

/** Opens an empty file in a folder, which is created if it does not exist. */
export async function openSpillFile(folder: string): Promise<SpillFile> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, randomUUID())
  const file = await open(path, flags, 0o600)
  try {
    await rm(path)
  } catch (error) {
    await file.close()
    throw error
  }
  return {
    // Unlike `write`, it writes all bytes or fails.
    add: bytes => file.appendFile(bytes),
    read: async function* (size) {
      for (let at = 0; at < size; ) {
        const piece = Buffer.allocUnsafe(Math.min(readAtOnce, size - at))
        const { bytesRead } = await file.read(piece, 0, piece.length, at)
        if (bytesRead === 0) throw noBytes()
        yield piece.subarray(0, bytesRead)
        at += bytesRead
      }
    },
    close: () => file.close(),
  }
}
