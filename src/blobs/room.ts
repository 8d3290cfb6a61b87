/** Keeps some bytes free, so that uploads stop before the database runs out of room: deleting takes room too. */
import { dirname } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { storageFull } from '../errors.ts'
import type { Log } from '../log.ts'
import type { BlobStore, StoreSpace } from './blob-store.ts'
import { readSpace } from './local.ts'

/** The larger of them stays free where no configuration says otherwise: bytes, and a share of the disk. */
const leastFree = 1024 ** 3
const leastShare = 0.02
/** ms for which a look at the disks counts. */
const looksEvery = 1000

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
  /** The disks of the store and of a SQLite database, as they were within the last second. */
  look(): Promise<Disk[]>
  /** Throws `storage_full` where a disk has less than is to stay free, or would have with so many bytes more. */
  admit(bytes?: number): Promise<void>
}

interface RoomDeps {
  config: Pick<Config, 'database' | 'minFreeSpace'>
  store: BlobStore
  log: Log
  clock: Clock
}

/** Whether a disk has less than is to stay free, or would have with so many bytes more. */
export const isFull = ({ free, floor }: Pick<Disk, 'free' | 'floor'>, bytes = 0): boolean =>
  free !== null && floor > 0 && free - bytes < floor

/** Opens the look at the disks; what changes there is logged once. */
export function openRoom({ config: { database, minFreeSpace }, store, log, clock }: RoomDeps): Room {
  const diskOf = (name: Disk['name'], space: StoreSpace | null): Disk => ({
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

  async function measure(): Promise<Disk[]> {
    const disks = [diskOf('storage', await store.space())]
    if (database.dialect === 'sqlite') disks.push(diskOf('database', await readSpace(dirname(database.file))))
    for (const disk of disks) tell(disk)
    return disks
  }

  let looked: { at: number; disks: Promise<Disk[]> } | undefined
  const look = (): Promise<Disk[]> => {
    const at = clock.monotonic()
    if (looked === undefined || at - looked.at > looksEvery) looked = { at, disks: measure() }
    return looked.disks
  }
  return {
    look,
    admit: async (bytes = 0) => {
      const disks = await look()
      // What an upload adds to the database is small, whatever its length.
      if (disks.some(disk => isFull(disk, disk.name === 'storage' ? bytes : 0))) throw storageFull()
    },
  }
}

/** The store, whose `put` breaks off with `storage_full` once too little is free: some come without a length, or together. */
export const keepRoom = (store: BlobStore, room: Room): BlobStore => ({
  ...store,
  put: (key, source) => store.put(key, whileRoom(source, room)),
})

async function* whileRoom(source: AsyncIterable<Buffer>, room: Room): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    await room.admit()
    yield chunk
  }
}
