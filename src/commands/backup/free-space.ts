/** The minimum of free disk space: a restore checks it before it creates anything, a backup while it writes. */
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError, systemCode } from '../../base/errors.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { readSpace } from '../../blobs/disk-space.ts'
import { floorOf, isFull } from '../../blobs/free-space.ts'
import { folderOfStore } from '../../blobs/open-store.ts'
import { formatLimit } from '../../blobs/receive.ts'
import type { Config } from '../../config.ts'
import type { Deps } from '../../deps.ts'
import type { Manifest } from './manifest.ts'

/** Bytes per row in a SQLite database, indexes included, in addition to the row's own bytes. */
const bytesPerRow = 1024

/** The estimated size of the rows in a database; small contents in them hardly compress. */
const sizeOfRows = ({ tables }: Manifest): number =>
  tables.flatMap(({ parts }) => parts).reduce((sum, { rows, size }) => sum + rows * bytesPerRow + size, 0)

/** The bytes that an interrupted restore has left in the store. */
export async function sizeOfStore(store: BlobStore): Promise<number> {
  let bytes = 0
  for await (const { key } of store.list()) bytes += (await store.size(key)) ?? 0
  return bytes
}

const sizeOfFile = async (path: string): Promise<number> => (await stat(path).catch(() => undefined))?.size ?? 0

/** The folder itself, or its nearest existing parent. */
async function findFolder(path: string): Promise<{ path: string; disk: number }> {
  try {
    return { path, disk: (await stat(path)).dev }
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    return findFolder(dirname(path))
  }
}

/** The bytes that a restore needs, by folder; `stored` bytes of contents are already there. */
async function findNeeds(config: Config, manifest: Manifest, stored: number) {
  const { database } = config
  const folder = folderOfStore(config)
  const needs = folder === null ? [] : [{ folder, bytes: manifest.contents.bytes - stored }]
  if (database.dialect === 'sqlite') {
    const bytes = sizeOfRows(manifest) - (await sizeOfFile(database.file))
    needs.push({ folder: dirname(database.file), bytes })
  }
  return needs
}

/** Throws `storage_full` when `bytes` more would leave a disk less than its minimum of free space. */
async function refuseFull({ minFreeSpace }: Config, folder: string, bytes: number): Promise<void> {
  const { free, total } = await readSpace(folder)
  const floor = floorOf(minFreeSpace, total)
  if (!isFull({ free, floor }, bytes)) return
  const sizes = `${formatLimit(bytes)} are needed, ${formatLimit(free)} are free, and ${formatLimit(floor)} are to stay free`
  throw new AppError('storage_full', `Too little room on the disk of ${folder}: ${sizes} (FILESTORE_MIN_FREE_SPACE)`)
}

/** Throws `storage_full` when restoring a snapshot would leave a disk less than its minimum of free space. */
export async function refuseWithoutSpace(config: Config, manifest: Manifest, stored: number): Promise<void> {
  const disks = new Map<number, { path: string; bytes: number }>()
  for (const { folder, bytes } of await findNeeds(config, manifest, stored)) {
    const { path, disk } = await findFolder(folder)
    disks.set(disk, { path, bytes: (disks.get(disk)?.bytes ?? 0) + Math.max(0, bytes) })
  }
  for (const { path, bytes } of disks.values()) await refuseFull(config, path, bytes)
}

type FloorDeps = Pick<Deps, 'config' | 'store'>

/** Whether a folder is on the disk of the store or of the SQLite database. */
async function isOnDataDisk({ config: { database }, store }: FloorDeps, folder: string): Promise<boolean> {
  const { dev } = await stat(folder)
  const data = [
    ...(store.local === null ? [] : [store.local.folder]),
    ...(database.dialect === 'sqlite' ? [dirname(database.file)] : []),
  ]
  return (await Promise.all(data.map(path => stat(path)))).some(disk => disk.dev === dev)
}

export interface Floor {
  /** Throws `storage_full` when so many more bytes would leave too little space. */
  ask(bytes: number): Promise<void>
  /** Passes bytes on while enough space is free. Throws as `ask`. */
  keep(source: AsyncIterable<Buffer>): AsyncIterable<Buffer>
}

/** Keeps the minimum free when a folder is on the server's own disks; another disk may be filled completely. */
export async function openFloor(deps: FloorDeps, folder: string): Promise<Floor> {
  if (!(await isOnDataDisk(deps, folder))) return { ask: async () => undefined, keep: source => source }
  const ask = (bytes: number) => refuseFull(deps.config, folder, bytes)
  return {
    ask,
    async *keep(source) {
      for await (const chunk of source) {
        await ask(chunk.length)
        yield chunk
      }
    },
  }
}

/** A store that refuses bytes when too little space would stay free. */
export const keepFloor = (store: BlobStore, floor: Floor): BlobStore => ({
  ...store,
  put: (key, source) => store.put(key, floor.keep(source)),
})
