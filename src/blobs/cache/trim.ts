/** Keeps the cache's folder below its size: what was not read for the longest time goes first. */
import { lstat, opendir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hour, second } from '../../base/clock.ts'
import { ignoreMissing } from '../local-access.ts'

interface CacheFile {
  path: string
  /** Bytes on the disk. */
  size: number
  /** ms since it was read, or else written. */
  age: number
  /** Whether it is a whole object; others are being written, or were when a process ended. */
  isWhole: boolean
}

/** The name of an entry: the key and the file. */
const entryForm = /^[0-9a-f]{64}\.\d+$/

/** Bytes that a disk gives a file at a time. */
const blockSize = 4096
/** An object is written within this time (ms), or never. */
const longestWrite = hour

async function* listFiles(folder: string, now: number): AsyncGenerator<CacheFile> {
  for (const part of await readdir(folder)) {
    for await (const { name } of await opendir(join(folder, part))) {
      const path = join(folder, part, name)
      const stats = await lstat(path).catch(ignoreMissing)
      if (!stats?.isFile()) continue
      const size = Math.ceil(stats.size / blockSize) * blockSize
      yield { path, size, age: now - stats.mtimeMs, isWhole: entryForm.test(name) }
    }
  }
}

/** Ages in one class differ by a tenth at most, so a few hundred classes hold any number of files. */
const classesPerDoubling = 8
const classOf = (age: number): number => Math.floor(classesPerDoubling * Math.log2(1 + Math.max(0, age) / second))

/** The class from which on there are `excess` bytes that have not been read for longer. */
function findBound(sizes: ReadonlyMap<number, number>, excess: number): number {
  let older = 0
  for (const [ageClass, size] of [...sizes].sort(([a], [b]) => b - a)) {
    older += size
    if (older >= excess) return ageClass
  }
  return 0
}

/**
 * Removes what was read longest ago until at most `most` bytes are left, and what was never written to its end. Goes
 * through the folder twice rather than keep a list of its files. Several processes may do so at the same time.
 */
export async function trimCache(folder: string, most: number, now: number): Promise<void> {
  const sizes = new Map<number, number>()
  let excess = -most
  for await (const { path, size, age, isWhole } of listFiles(folder, now)) {
    if (!isWhole && age > longestWrite) await rm(path, { force: true })
    else {
      excess += size
      sizes.set(classOf(age), (sizes.get(classOf(age)) ?? 0) + size)
    }
  }
  if (excess <= 0) return
  const bound = findBound(sizes, excess)
  let left = excess - [...sizes].reduce((sum, [ageClass, size]) => (ageClass > bound ? sum + size : sum), 0)
  for await (const { path, size, age } of listFiles(folder, now)) {
    const ageClass = classOf(age)
    if (ageClass < bound || (ageClass === bound && left <= 0)) continue
    await rm(path, { force: true })
    if (ageClass === bound) left -= size
  }
}
