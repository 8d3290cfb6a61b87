/**
 * The form of a cached object's file: frames of at most 64 KiB, each behind a CRC-32 of the object's key and size, the
 * frame's place and its bytes. So any range can be checked while it is read, in the memory of one frame.
 */
import type { FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { ByteRange } from '../blob-store.ts'

export interface CachedObject {
  key: string
  /** The file whose content it is; equal files have an entry each. */
  file: number
  /** Bytes of the object. */
  size: number
}

/** Bytes of an object in a frame; only the last one has fewer. */
export const frameSize = 64 * 1024
const sumSize = 4

/** Bytes of an object's file. */
export const fileSizeOf = (size: number): number => size + sumSize * Math.ceil(size / frameSize)

const positionOf = (index: number): number => index * (sumSize + frameSize)
const sumOf = ({ key, size }: CachedObject, index: number, bytes: Buffer): number =>
  crc32(bytes, crc32(`${key} ${size} ${index}`))

/** Writes the object's frame of that index. Throws ENOSPC as well when only a part of it fits on the disk. */
export async function writeFrame(file: FileHandle, object: CachedObject, index: number, bytes: Buffer): Promise<void> {
  const sum = Buffer.alloc(sumSize)
  sum.writeUInt32BE(sumOf(object, index, bytes))
  const { bytesWritten } = await file.writev([sum, bytes], positionOf(index))
  if (bytesWritten < sumSize + bytes.length) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' })
}

/** Reads a range of the object, frame by frame. Throws for a frame that is damaged, or another object's. */
export async function* readFrames(file: FileHandle, object: CachedObject, range: ByteRange): AsyncGenerator<Buffer> {
  const [first, last] = [range.start, range.end].map(at => Math.floor(at / frameSize)) as [number, number]
  for (let index = first; index <= last; index += 1) {
    const start = index * frameSize
    const frame = Buffer.allocUnsafe(sumSize + Math.min(frameSize, object.size - start))
    const { bytesRead } = await file.read(frame, 0, frame.length, positionOf(index))
    const bytes = frame.subarray(sumSize)
    if (bytesRead < frame.length || frame.readUInt32BE() !== sumOf(object, index, bytes)) {
      throw new Error('a file of the cache is damaged')
    }
    yield bytes.subarray(Math.max(0, range.start - start), range.end + 1 - start)
  }
}
