/**
 * Reads a file into the same two buffers again and again: a new buffer per chunk would keep the garbage collector busy.
 */
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ByteRange } from './blob-store.ts'

/** Fills a buffer unless the file ends first; returns how many bytes were read. */
async function fill(file: FileHandle, buffer: Buffer, position: number): Promise<number> {
  let size = 0
  while (size < buffer.length) {
    const { bytesRead } = await file.read(buffer, size, buffer.length - size, position + size)
    if (bytesRead === 0) break
    size += bytesRead
  }
  return size
}

/**
 * A stream of a range of a file in chunks of `chunkSize` bytes; it closes the file at its end. A chunk's memory is
 * overwritten once the second chunk after it is asked for. A file that has become too short ends in an error.
 */
export function readReused(file: FileHandle, { start, end }: ByteRange, chunkSize: number): Readable {
  const buffers: [Buffer?, Buffer?] = []
  let turn: 0 | 1 = 0
  let position = start

  async function next(): Promise<Buffer | null> {
    const left = end + 1 - position
    if (left <= 0) return null
    buffers[turn] ??= Buffer.allocUnsafeSlow(Math.min(chunkSize, left))
    const chunk = buffers[turn]?.subarray(0, left) as Buffer
    turn = turn === 0 ? 1 : 0
    const size = await fill(file, chunk, position)
    if (size < chunk.length) throw new Error('the file has become shorter while it was read')
    position += size
    return chunk
  }

  return new Readable({
    highWaterMark: chunkSize,
    read() {
      next().then(
        chunk => this.push(chunk),
        error => this.destroy(error),
      )
    },
    destroy(error, done) {
      file.close().then(
        () => done(error),
        failure => done(error ?? failure),
      )
    },
  })
}
