/** A folder as a blob store: O_EXCL at the random key, write, fdatasync, fsync of the folder. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { constants, type Dirent } from 'node:fs'
import {
  access,
  copyFile,
  type FileHandle,
  link,
  lstat,
  lutimes,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { systemCode } from '../base/errors.ts'
import { type BlobStore, type ByteRange, hexForm, type StoredKey } from './blob-store.ts'
import { readSpace } from './disk-space.ts'
import { openLocalQuarantine } from './local-quarantine.ts'
import { isShelf, openShelves, shelfOf } from './local-shelves.ts'
import { readReused } from './reused-chunks.ts'
import { syncFolder } from './sync-folder.ts'
import { writeDurably } from './write-durably.ts'

/** The group's bit to read. */
const groupReads = 0o040

/** Bytes of one read; 1 MiB doubles the throughput of Node's 64 KiB. */
const readSize = 1024 ** 2

// A link planted in the folder is never followed, and a pipe never waited for, whoever planted it.
const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Opens a folder as a store, making it if need be. Its shelves are made when the first blob comes onto each. */
export async function openLocalStore(folder: string): Promise<BlobStore> {
  const blobs = join(folder, 'blobs')
  const quarantineFolder = join(folder, 'quarantine')
  const markFile = join(folder, 'store-id')
  await mkdir(quarantineFolder, { recursive: true, mode: 0o700 })
  await mkdir(blobs, { recursive: true, mode: 0o700 })

  const shelves = await openShelves(blobs)

  const pathOf = (key: string): string => {
    // There is nothing under it: of a damaged row's key, whoever reads says what is missing, and goes on.
    if (!hexForm.test(key)) throw Object.assign(new Error('not the key of a blob'), { code: 'ENOENT' })
    return join(blobs, shelfOf(key), key)
  }

  /** The same, unless a link stands in its shelf's place: O_NOFOLLOW looks at the end of a path alone. */
  const placeOf = async (key: string): Promise<string> => {
    const path = pathOf(key)
    if (!(await lstat(dirname(path))).isDirectory()) throw isLink()
    return path
  }

  /** Where a new blob goes. */
  const newPlaceOf = async (key: string): Promise<string> => {
    await shelves.keep(shelfOf(key))
    return placeOf(key)
  }

  const quarantine = openLocalQuarantine(quarantineFolder, pathOf)

  async function put(key: string, source: AsyncIterable<Buffer>): Promise<void> {
    const path = await newPlaceOf(key)
    const file = await open(path, createFlags, 0o600)
    try {
      await writeDurably(file, source)
      await file.close()
      await syncFolder(join(blobs, shelfOf(key)))
    } catch (error) {
      await file.close().catch(() => undefined)
      await rm(path, { force: true })
      throw error
    }
  }

  async function adopt(key: string, path: string, mode: 'reflink' | 'link'): Promise<void> {
    const target = await newPlaceOf(key)
    if (mode === 'link') await link(path, target)
    else await copyFile(path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE)
    try {
      const file = await open(target, readFlags)
      try {
        if (!(await file.stat()).isFile()) throw new Error(`${path} is not a regular file`)
        await file.datasync()
      } finally {
        await file.close()
      }
      await syncFolder(join(blobs, shelfOf(key)))
    } catch (error) {
      await rm(target, { force: true })
      throw error
    }
  }

  /** Opens a blob's file. Whether a link stands in its shelf's place is asked meanwhile, for each call waits for a thread. */
  async function openBlob(key: string): Promise<FileHandle> {
    const [file, place] = await Promise.allSettled([open(pathOf(key), readFlags), placeOf(key)])
    if (file.status === 'fulfilled' && place.status === 'fulfilled') return file.value
    if (file.status === 'fulfilled') await file.value.close()
    throw place.status === 'rejected' ? place.reason : (file as PromiseRejectedResult).reason
  }

  async function read(key: string, range?: ByteRange, { reuse } = { reuse: false }): Promise<Readable> {
    const file = await openBlob(key)
    let size: number
    try {
      const stats = await file.stat()
      size = stats.size
      if (!stats.isFile() || size <= (range?.end ?? -1)) throw isGone()
    } catch (error) {
      await file.close()
      throw error
    }
    const stream = reuse
      ? readReused(file, range ?? { start: 0, end: size - 1 }, readSize)
      : file.createReadStream({ highWaterMark: readSize, ...range })
    // What the disk does not give is told now, while whoever asked can still be answered.
    await once(stream, 'readable')
    return stream
  }

  async function share(key: string, size: number): Promise<string | null> {
    const path = await placeOf(key).catch(ignoreForeign)
    const stats = path === undefined ? undefined : await lstat(path).catch(ignoreMissing)
    // What has another name, too, is not the store's alone: its mode and its group are for somebody else to choose.
    if (path === undefined || !stats?.isFile() || stats.size !== size || stats.nlink > 1) return null
    if ((stats.mode & groupReads) === 0 && !(await letGroupRead(path))) return null
    return relative(folder, path)
  }

  async function* listEntries(): AsyncGenerator<{ shelf: string; entry: Dirent }> {
    for (const shelf of await shelves.list()) {
      for await (const entry of await opendir(join(blobs, shelf))) yield { shelf, entry }
    }
  }

  async function* list(): AsyncGenerator<StoredKey> {
    for await (const { shelf, entry } of listEntries()) {
      if (!isBlob(shelf, entry)) continue
      const stats = await lstat(pathOf(entry.name)).catch(ignoreMissing)
      if (stats !== undefined) yield { key: entry.name, modifiedAt: stats.mtimeMs }
    }
  }

  async function* listStrangers(): AsyncGenerator<string> {
    for (const entry of await readdir(blobs, { withFileTypes: true })) {
      if (!entry.isDirectory() || !isShelf(entry.name)) yield entry.name
    }
    for await (const { shelf, entry } of listEntries()) if (!isBlob(shelf, entry)) yield `${shelf}/${entry.name}`
  }

  return {
    put,
    adopt,
    read,
    fileOf: pathOf,
    share,
    size: async key => {
      const stats = await placeOf(key)
        .then(path => lstat(path))
        .catch(ignoreForeign)
      return stats?.isFile() ? stats.size : null
    },
    rejuvenate: async key => {
      const now = new Date()
      await placeOf(key)
        .then(path => lutimes(path, now, now))
        .catch(ignoreForeign)
    },
    replace: async (key, by) => {
      const [from, to] = [await placeOf(by), await newPlaceOf(key)]
      const stats = await lstat(to).catch(ignoreMissing)
      if (stats?.isFile() && (stats.mode & groupReads) !== 0) await letGroupRead(from)
      await rename(from, to)
      await syncFolder(join(blobs, shelfOf(key)))
    },
    remove: async key => {
      await placeOf(key)
        .then(path => rm(path, { force: true }))
        .catch(ignoreForeign)
    },
    list,
    listStrangers,
    quarantine: (key, now) => quarantine.add({ key, at: now }),
    keepDamaged: (key, now) => quarantine.addDamaged({ key, at: now }),
    listQuarantine: quarantine.list,
    readQuarantined: async aside =>
      (await open(quarantine.pathAside(aside), readFlags)).createReadStream({ highWaterMark: readSize }),
    putBack: async aside => {
      await shelves.keep(shelfOf(aside.key))
      await quarantine.putBack(aside)
      await syncFolder(join(blobs, shelfOf(aside.key)))
    },
    purgeQuarantine: quarantine.purge,
    space: () => readSpace(blobs),
    check: () => access(blobs, constants.R_OK | constants.W_OK),
    readMark: async () => {
      const text = await readFile(markFile, { encoding: 'utf8', flag: readFlags }).catch(ignoreForeign)
      const [id = Number.NaN, sweeps = Number.NaN] = text?.split(' ').map(Number) ?? []
      return Number.isNaN(id + sweeps) ? null : { id, sweeps }
    },
    saveMark: async ({ id, sweeps }) => {
      // Of its own, for two servers on one MariaDB may begin to sweep at the same time.
      const draft = `${markFile}.${randomUUID()}`
      await writeFile(draft, `${id} ${sweeps}\n`, { mode: 0o600, flush: true, flag: 'wx' })
      await rename(draft, markFile)
      await syncFolder(folder)
    },
  }
}

const isLink = () => Object.assign(new Error('a link stands in the place of a folder of blobs'), { code: 'ELOOP' })
const isGone = () => Object.assign(new Error('the blob is not there, or shorter than it was'), { code: 'ENOENT' })

/** False for a file of another user, as one that was linked in may be. */
async function letGroupRead(path: string): Promise<boolean> {
  const file = await open(path, readFlags)
  try {
    await file.chmod(((await file.stat()).mode & 0o777) | groupReads)
    return true
  } catch (error) {
    if (systemCode(error) === 'EPERM') return false
    throw error
  } finally {
    await file.close()
  }
}

const isBlob = (shelf: string, entry: Dirent): boolean =>
  entry.isFile() && hexForm.test(entry.name) && entry.name.startsWith(shelf)

function ignoreMissing(error: unknown): undefined {
  if (systemCode(error) !== 'ENOENT') throw error
}

/** Behind a link that was planted there is nothing of the store's either. */
function ignoreForeign(error: unknown): undefined {
  if (systemCode(error) !== 'ELOOP') ignoreMissing(error)
}
