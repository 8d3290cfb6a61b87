/** Local copies of a remote store's bytes: what they answer, what they never answer, and what goes first. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BlobStore, ByteRange } from '../../src/blobs/blob-store.ts'
import { cacheReads } from '../../src/blobs/cache/cached.ts'
import { newBlobKey } from '../../src/blobs/receive.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { flipByte } from '../support/spoil.ts'
import { openMemoryStore } from './memory-store.ts'
import { chunks } from './stores.ts'

const megabyte = 1024 ** 2

interface Stored {
  key: string
  bytes: Buffer
  whole: { size: number; sha256: string; file: number }
}

let home: string
let folder: string
let origin: BlobStore
let cached: BlobStore
/** Keys that the origin was asked for. */
let asked: string[]
let hits: number

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'filestore-cache-'))
  folder = join(home, 'cache')
  origin = openMemoryStore().store
  asked = []
  hits = 0
  open()
})
afterEach(() => rm(home, { recursive: true }))

/** Opens the cache, as a start of the server does. */
function open(size = 100 * megabyte, workers = 1): void {
  const watched: BlobStore = {
    ...origin,
    read: (key, ...more) => {
      asked.push(key)
      return origin.read(key, ...more)
    },
  }
  const onHit = () => {
    hits += 1
  }
  cached = cacheReads(watched, { folder, size, workers, minFreeSpace: 0, onHit, onMiss: () => undefined })
}

async function store(size = 200_000): Promise<Stored> {
  const [key, bytes] = [newBlobKey(), randomBytes(size)]
  await origin.put(key, chunks(bytes))
  return { key, bytes, whole: { size, sha256: createHash('sha256').update(bytes).digest('hex'), file: 1 } }
}

const read = async ({ key, whole }: Stored, range?: ByteRange): Promise<Buffer> =>
  buffer(await cached.read(key, range, { whole }))

const nameOf = ({ key, whole }: Stored): string => `${key}.${whole.file}`
const pathOf = (stored: Stored): string => join(folder, stored.key.slice(0, 2), nameOf(stored))
const names = async (): Promise<string[]> =>
  (await readdir(folder, { recursive: true })).flatMap(name => (name.includes('/') ? [name.slice(3)] : []))

/** Reads until there is a copy: the cache looks through its folder before it keeps the first one. */
async function keep(stored: Stored): Promise<void> {
  const isKept = async () => {
    expect((await read(stored)).equals(stored.bytes)).toBe(true)
    return names().then(
      list => list.includes(nameOf(stored)),
      () => false,
    )
  }
  await expect.poll(isKept).toBe(true)
  asked = []
  hits = 0
}

test.each([1, 65_535, 65_536, 65_537, 200_000, 8 * megabyte])(
  'a copy of %i bytes answers, whole and in ranges',
  async size => {
    const stored = await store(size)
    await keep(stored)
    expect((await read(stored)).equals(stored.bytes)).toBe(true)
    for (const start of [0, Math.floor(size / 3), Math.max(0, size - 65_536), size - 1]) {
      for (const end of [start, Math.min(size - 1, start + 65_536), size - 1]) {
        expect((await read(stored, { start, end })).equals(stored.bytes.subarray(start, end + 1))).toBe(true)
      }
    }
    expect([asked, hits]).toEqual([[], 13])
  },
)

test('a copy outlives the process', async () => {
  const stored = await store()
  await keep(stored)
  open()
  expect((await read(stored)).equals(stored.bytes)).toBe(true)
  expect(asked).toEqual([])
})

test('a copy answers for its file alone, and goes with the bytes of all', async () => {
  const stored = await store()
  await keep(stored)
  const equal = { ...stored, whole: { ...stored.whole, file: 2 } }
  expect((await read(equal)).equals(stored.bytes)).toBe(true)
  expect([asked, hits]).toEqual([[stored.key], 0])
  await keep(equal)
  await cached.remove(stored.key)
  expect(await names()).toEqual([])
})

test('what is read without a word about the whole comes from the store', async () => {
  const stored = await store()
  await keep(stored)
  await buffer(await cached.read(stored.key))
  expect([asked, hits]).toEqual([[stored.key], 0])
})

test('a large object, a part of one and a read that is given up are not kept', async () => {
  await keep(await store())
  const [large, partly, left] = [await store(8 * megabyte + 1), await store(), await store()]
  await read(large)
  await read(partly, { start: 0, end: 100 })
  const stream = await cached.read(left.key, undefined, { whole: left.whole })
  stream.destroy()
  await expect.poll(names).toHaveLength(1)
})

test('bytes that are not the ones of the row are passed on and not kept', async () => {
  await keep(await store())
  const stored = await store()
  stored.whole.sha256 = '0'.repeat(64)
  expect((await read(stored)).equals(stored.bytes)).toBe(true)
  await expect.poll(names).toHaveLength(1)
})

describe('a damaged copy is never served: the store answers, and a new copy is made', () => {
  test.each<[string, (path: string) => Promise<void>]>([
    ['at its beginning', path => flipByte(path, 0)],
    ['in its middle', path => flipByte(path, 100_000)],
    ['at its end', path => flipByte(path, 200_010)],
    ['cut short', path => truncate(path, 150_000)],
    ['of zeros', path => writeFile(path, Buffer.alloc(200_016))],
    ['empty', path => truncate(path, 0)],
  ])('%s', async (_where, damage) => {
    const stored = await store()
    await keep(stored)
    await damage(pathOf(stored))
    expect((await read(stored)).equals(stored.bytes)).toBe(true)
    expect(asked).toEqual([stored.key])
    await keep(stored)
    await read(stored)
    expect(hits).toBe(1)
  })

  test('nor the copy of another object under its name', async () => {
    const [stored, other] = [await store(), await store()]
    await keep(stored)
    await keep(other)
    await rm(pathOf(stored))
    await rename(pathOf(other), pathOf(stored))
    expect((await read(stored)).equals(stored.bytes)).toBe(true)
    expect(asked).toEqual([stored.key])
  })
})

test('removed and quarantined bytes have no copy', async () => {
  const [removed, aside] = [await store(), await store()]
  await keep(removed)
  await keep(aside)
  await cached.remove(removed.key)
  await cached.aside.take(aside.key, 'aside-1')
  expect(await names()).toEqual([])
  await expect(read(removed)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('the copies stay below their size, and those go that were read longest ago', async () => {
  open(8 * megabyte)
  const list: Stored[] = []
  for (let n = 0; n < 20; n++) list.push(await store(500_000))
  for (const [index, stored] of list.entries()) {
    await keep(stored)
    const time = Date.now() / 1000 - 3600 * 1.3 ** (20 - index)
    await utimes(pathOf(stored), time, time)
    // The first one is read each time, so it is never the oldest.
    await read(list[0] as Stored)
  }
  const kept = await names()
  expect(kept.length * 500_000).toBeLessThan(8 * megabyte)
  expect(kept.length).toBeGreaterThan(8)
  expect(list.filter(stored => kept.includes(nameOf(stored)))).toEqual([list[0], ...list.slice(1 - kept.length)])
})

test('what a stopped process has not written to its end is removed', async () => {
  const stored = await store()
  await keep(stored)
  const [old, young] = [`${pathOf(stored)}.old`, `${pathOf(stored)}.young`]
  for (const path of [old, young]) await writeFile(path, 'x')
  await utimes(old, 1, 1)
  open()
  await keep(await store())
  expect(await names()).toContain(`${nameOf(stored)}.young`)
  expect(await names()).not.toContain(`${nameOf(stored)}.old`)
})

test('a full disk keeps no copy and disturbs no reader', async context => {
  const disk = await mountSmallDisk(context, '1m')
  context.onTestFinished(disk.unmount)
  folder = join(disk.folder, 'cache')
  open()
  await keep(await store(1000))
  const stored = await store(3 * megabyte)
  expect((await read(stored)).equals(stored.bytes)).toBe(true)
  await expect.poll(names).toHaveLength(1)
  await keep(await store(2000))
})
