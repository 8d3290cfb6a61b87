/** Keeps some disk space free: writes stop before the database runs out of room, because deleting needs room too. */
import { dirname } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { storageFull } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config.ts'
import type { BlobStore } from './blob-store.ts'
import { type DiskSpace, readSpace } from './disk-space.ts'
import { gatheredAtMost } from './write-durably.ts'

/** The default minimum of free space is the larger of the two: bytes, and a share of the disk. */
const leastFree = 1024 ** 3
const leastShare = 0.02
/** Measured free space is valid for this many ms, unless too much has been written since. */
const looksEvery = 1000
/** Bytes that a change may add to the database: pages of its rows, of their indexes, and of its event. */
const changeSize = 8 * 1024

interface Disk {
  name: 'storage' | 'database'
  /** Bytes; null when unknown. */
  free: number | null
  /** Bytes that must stay free; 0 for no limit. */
  floor: number
}

/** Bytes of a disk that must stay free; 0 for no limit. */
export const floorOf = (minFreeSpace: number | null, total: number): number =>
  minFreeSpace ?? Math.max(leastFree, Math.ceil(total * leastShare))

export interface FreeSpace {
  /**
   * The disks of the store and of a SQLite database, measured within the last second. A store that is not on a local
   * disk has none, and no space is kept free there.
   */
  look(): Promise<Disk[]>
  /** Whether a disk has less free space than it must keep. */
  isLow(): Promise<boolean>
  /**
   * Throws `storage_full` when a disk has less free space than it must keep, or would have after `bytes` more.
   * `written` of them are being written now and count until the next measurement has seen them.
   */
  admit(bytes?: number, written?: number): Promise<void>
  /**
   * Returns the store; its `put` and `append` end with `storage_full` once space runs low, because a length may be
   * unknown.
   */
  keep(store: BlobStore): BlobStore
}

/** One measurement of the disks. */
interface Look {
  /** ms, by the monotonic clock. */
  at: number
  disks: Promise<Disk[]>
  /** Bytes that the measurement has not seen, on either disk: those in flight when it began, and all since. */
  unseen: number
  /** Only the bytes in flight when it began. */
  before: number
}

interface FreeSpaceDeps {
  config: Pick<Config, 'database' | 'minFreeSpace' | 'workers'>
  store: BlobStore
  log: Log
  clock: Clock
}

/** Whether a disk has less free space than it must keep, or would have after `bytes` more. */
export const isFull = ({ free, floor }: Pick<Disk, 'free' | 'floor'>, bytes = 0): boolean =>
  free !== null && floor > 0 && free - bytes < floor

/** Opens the measurement of the disks. Each change between full and not full is logged once. */
export function openFreeSpace({
  config: { database, minFreeSpace, workers },
  store,
  log,
  clock,
}: FreeSpaceDeps): FreeSpace {
  const diskOf = (name: Disk['name'], space: DiskSpace | null): Disk => ({
    name,
    free: space?.free ?? null,
    floor: floorOf(minFreeSpace, space?.total ?? 0),
  })
  const full = new Set<Disk['name']>()
  const tell = (disk: Disk): void => {
    if (full.has(disk.name) === isFull(disk)) return
    if (full.delete(disk.name)) log.info(disk, 'uploads go on: there is enough free space again')
    else log.warn(disk, 'uploads stop: there is less free space than is to be kept')
    if (isFull(disk)) full.add(disk.name)
  }

  /** Null when a disk cannot be measured: writes to it will fail by themselves. */
  const ask = (space: Promise<DiskSpace>): Promise<DiskSpace | null> => space.catch(() => null)

  async function measure(): Promise<Disk[]> {
    const disks: Disk[] = []
    if (store.local !== null) disks.push(diskOf('storage', await ask(store.local.space())))
    if (database.dialect === 'sqlite') disks.push(diskOf('database', await ask(readSpace(dirname(database.file)))))
    for (const disk of disks) tell(disk)
    return disks
  }

  let last: Look | undefined
  /** Bytes of running uploads that may not be on the disk yet. */
  let underway = 0
  function lookAnew(): Look {
    last = { at: clock.monotonic(), disks: measure(), unseen: underway, before: underway }
    return last
  }
  const latest = (): Look => (last === undefined || clock.monotonic() - last.at > looksEvery ? lookAnew() : last)

  const isShort = async (look: Look, bytes: number): Promise<boolean> => {
    const disks = await look.disks
    return disks.some(disk => isFull(disk, look.unseen + (disk.name === 'storage' ? bytes : 0)))
  }

  async function admit(bytes = 0, written = changeSize): Promise<void> {
    const look = latest()
    if (await isShort(look, bytes)) {
      // Only the length of later bytes is known, not their disk: measure again before refusing because of them.
      if (look.unseen === look.before) throw storageFull()
      if (await isShort(last === look ? lookAnew() : latest(), bytes)) throw storageFull()
    }
    // Workers do not share their counts. Each assumes that all write as much as it does, and so measures more often.
    latest().unseen += written * workers
  }

  async function* watch(source: AsyncIterable<Buffer>, note: (bytes: number) => void): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      await admit(0, chunk.length)
      note(chunk.length)
      yield chunk
    }
  }

  /** Runs `write` with the source, whose bytes are counted while the store may have them in its write buffer. */
  async function counting<T>(
    source: AsyncIterable<Buffer>,
    write: (watched: AsyncIterable<Buffer>) => Promise<T>,
  ): Promise<T> {
    /** How many of this upload's bytes may still be in the store's write buffer. */
    let gathered = 0
    const note = (bytes: number): void => {
      const more = Math.min(bytes, gatheredAtMost - gathered)
      gathered += more
      underway += more
    }
    try {
      return await write(watch(source, note))
    } finally {
      underway -= gathered
    }
  }

  return {
    look: () => latest().disks,
    isLow: async () => (await latest().disks).some(disk => isFull(disk)),
    admit,
    keep: to => ({
      ...to,
      put: (key, source) => counting(source, watched => to.put(key, watched)),
      append: (key, offset, source, options) => counting(source, watched => to.append(key, offset, watched, options)),
    }),
  }
}
