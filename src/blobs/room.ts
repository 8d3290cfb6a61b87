/** Keeps some bytes free: what adds to the disks stops before the database runs out of room, for deleting takes room too. */
import { dirname } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { storageFull } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import type { Config } from '../config.ts'
import type { BlobStore } from './blob-store.ts'
import { type DiskSpace, readSpace } from './disk-space.ts'
import { gatheredAtMost } from './write-durably.ts'

/** The larger of them stays free where no configuration says otherwise: bytes, and a share of the disk. */
const leastFree = 1024 ** 3
const leastShare = 0.02
/** ms for which a look at the disks counts, unless too much has come since. */
const looksEvery = 1000
/** Bytes that a change may add to the database: pages of its rows, of what finds them, and of its event. */
const changeSize = 8 * 1024

interface Disk {
  name: 'storage' | 'database'
  /** Bytes; null where nobody can tell. */
  free: number | null
  /** Bytes that are to stay free; 0 where none are. */
  floor: number
}

/** Bytes of a disk that are to stay free; 0 where none are. */
export const floorOf = (minFreeSpace: number | null, total: number): number =>
  minFreeSpace ?? Math.max(leastFree, Math.ceil(total * leastShare))

export interface Room {
  /**
   * The disks of the store and of a SQLite database, as they were within the last second. A store without files on this
   * machine has none: nothing is kept free there.
   */
  look(): Promise<Disk[]>
  /** Whether a disk has less than is to stay free. */
  isLow(): Promise<boolean>
  /**
   * Throws `storage_full` where a disk has less than is to stay free, or would have with so many bytes more; of them
   * `written` are on their way to a disk now, and count until the next look has seen them.
   */
  admit(bytes?: number, written?: number): Promise<void>
  /** The store, whose `put` breaks off with `storage_full` once too little is free: some come without a length, or together. */
  keep(store: BlobStore): BlobStore
}

/** A look at the disks. */
interface Look {
  /** ms, by the monotonic clock. */
  at: number
  disks: Promise<Disk[]>
  /** Bytes that it has not seen, whichever disk they lie on: those on their way when it began, and all that came since. */
  unseen: number
  /** The first of these two alone. */
  before: number
}

interface RoomDeps {
  config: Pick<Config, 'database' | 'minFreeSpace' | 'workers'>
  store: BlobStore
  log: Log
  clock: Clock
}

/** Whether a disk has less than is to stay free, or would have with so many bytes more. */
export const isFull = ({ free, floor }: Pick<Disk, 'free' | 'floor'>, bytes = 0): boolean =>
  free !== null && floor > 0 && free - bytes < floor

/** Opens the look at the disks; what changes there is logged once. */
export function openRoom({ config: { database, minFreeSpace, workers }, store, log, clock }: RoomDeps): Room {
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

  /** Null where a disk cannot be asked: what is to be written there fails by itself. */
  const ask = (space: Promise<DiskSpace>): Promise<DiskSpace | null> => space.catch(() => null)

  async function measure(): Promise<Disk[]> {
    const disks: Disk[] = []
    if (store.local !== null) disks.push(diskOf('storage', await ask(store.local.space())))
    if (database.dialect === 'sqlite') disks.push(diskOf('database', await ask(readSpace(dirname(database.file)))))
    for (const disk of disks) tell(disk)
    return disks
  }

  let last: Look | undefined
  /** Bytes that uploads have brought and that may not be on the disk. */
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
      // What came since is known by its length alone, and not by its disk: only a new look can refuse for it.
      if (look.unseen === look.before) throw storageFull()
      if (await isShort(last === look ? lookAnew() : latest(), bytes)) throw storageFull()
    }
    // The other workers tell nobody what they write: each counts as if all wrote as much, and looks so much more often.
    latest().unseen += written * workers
  }

  async function* watch(source: AsyncIterable<Buffer>, note: (bytes: number) => void): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      await admit(0, chunk.length)
      note(chunk.length)
      yield chunk
    }
  }

  async function put(to: BlobStore, key: string, source: AsyncIterable<Buffer>): Promise<void> {
    /** The store writes as they come what it has gathered. */
    let gathered = 0
    const note = (bytes: number): void => {
      const more = Math.min(bytes, gatheredAtMost - gathered)
      gathered += more
      underway += more
    }
    try {
      await to.put(key, watch(source, note))
    } finally {
      underway -= gathered
    }
  }

  return {
    look: () => latest().disks,
    isLow: async () => (await latest().disks).some(disk => isFull(disk)),
    admit,
    keep: to => ({ ...to, put: (key, source) => put(to, key, source) }),
  }
}
