/**
 * Keeps what is read from a remote store on the local disk. Only whole objects enter that have the SHA-256 which their
 * reader names, so the cache holds nothing that could become wrong: a key's bytes never change. Each file has its own
 * entry, also for bytes that it has in common with others.
 */
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BlobStore, ByteRange, ReadOptions, WholeBytes } from '../blob-store.ts'
import { equalParts } from '../equal-parts.ts'
import { type CacheEntries, type CachePlace, type Draft, openEntries } from './entries.ts'
import { frameSize, readFrames, writeFrame } from './frames.ts'

/** Objects above this many bytes are not kept: they would push out many small ones, and gain least. */
const largestCached = 8 * 1024 ** 2

interface Wanted extends WholeBytes {
  key: string
  range: ByteRange
}

interface Cache {
  store: BlobStore
  entries: CacheEntries
}

/** `end` runs when the stream has ended, or is given up, even before it is read. */
function streamOf(bytes: AsyncIterable<Buffer>, end: () => Promise<void>): Readable {
  const stream = Readable.from(bytes, { objectMode: false })
  stream.once('close', () => void end().catch(() => undefined))
  return stream
}

/** Reads from the cache, and goes on in the store where a frame is damaged. */
async function* goThrough(
  { store, entries }: Cache,
  first: Buffer,
  frames: AsyncIterable<Buffer>,
  wanted: Wanted,
  options?: ReadOptions,
) {
  let { start } = wanted.range
  try {
    yield first
    start += first.length
    for await (const bytes of frames) {
      yield bytes
      start += bytes.length
    }
  } catch {
    await entries.remove(wanted.key)
    yield* await store.read(wanted.key, { start, end: wanted.range.end }, options)
  }
}

/** Opens an object in the cache; null if it is not there, or is damaged where the range begins. */
async function openHit(cache: Cache, wanted: Wanted, options?: ReadOptions): Promise<Readable | null> {
  const file = await cache.entries.open(wanted)
  if (file === null) return null
  const frames = readFrames(file, wanted, wanted.range)
  try {
    const { value: first } = await frames.next()
    if (first) return streamOf(goThrough(cache, first, frames, wanted, options), () => file.close())
  } catch {
    await cache.entries.remove(wanted.key).catch(() => undefined)
  }
  await file.close()
  return null
}

/** Passes an object's bytes on and writes them to the cache, which is given up where it fails. */
async function* copy(source: Readable, wanted: Wanted, draft: Draft): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let size = 0
  let isWhole = true
  for await (const bytes of equalParts(source, frameSize)) {
    hash.update(bytes)
    if (isWhole) {
      isWhole = await writeFrame(draft.file, wanted, size / frameSize, bytes).then(
        () => true,
        () => false,
      )
    }
    size += bytes.length
    yield bytes
  }
  const isRight = size === wanted.size && [null, hash.digest('hex')].includes(wanted.sha256)
  if (isWhole && isRight) await draft.keep().catch(() => undefined)
}

async function fill({ entries }: Cache, source: Readable, wanted: Wanted): Promise<Readable> {
  const draft = await entries.begin(wanted)
  if (draft === null) return source
  return streamOf(copy(source, wanted, draft), async () => {
    source.destroy()
    await draft.end()
  })
}

interface CacheOptions extends CachePlace {
  onHit(): void
  onMiss(): void
}

/**
 * Returns the same store. What is read with `whole` comes from the cache if it is there, and enters it if all bytes are
 * read to the end; other reads, such as those that look for damage, pass it by. Failures of the cache are no failures of
 * the store.
 */
export function cacheReads(store: BlobStore, { onHit, onMiss, ...place }: CacheOptions): BlobStore {
  const cache: Cache = { store, entries: openEntries(place) }
  const drop = (key: string) => cache.entries.remove(key).catch(() => undefined)
  return {
    ...store,
    read: async (key, given, options) => {
      const { whole } = options ?? {}
      const range = given ?? { start: 0, end: (whole?.size ?? 0) - 1 }
      if (whole === undefined || whole.size > largestCached || range.end >= whole.size) {
        return store.read(key, given, options)
      }
      const wanted = { key, range, ...whole }
      const hit = await openHit(cache, wanted, options)
      if (hit !== null) {
        onHit()
        return hit
      }
      const source = await store.read(key, given, options)
      onMiss()
      const isAll = range.start === 0 && range.end === whole.size - 1
      return isAll ? fill(cache, source, wanted) : source
    },
    remove: async key => {
      await drop(key)
      await store.remove(key)
    },
    aside: {
      ...store.aside,
      take: async (key, name) => {
        await drop(key)
        await store.aside.take(key, name)
      },
    },
  }
}
