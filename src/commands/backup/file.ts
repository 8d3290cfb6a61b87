/** Writes a backup as one tar file, which unpacks to a backup folder. */
import { createWriteStream } from 'node:fs'
import { readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { pack } from 'tar-stream'
import { formatSecret } from '../../access/server-secret.ts'
import { AppError, systemCode } from '../../base/errors.ts'
import { makeFolder } from '../../base/make-folder.ts'
import { openSemaphore } from '../../base/semaphore.ts'
import { syncFolder } from '../../base/sync-folder.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { openLocalStore } from '../../blobs/local.ts'
import type { Deps } from '../../deps.ts'
import { type Copied, saveBlobs } from './blobs.ts'
import { type Content, type CopyOptions, checkContent, DamagedError, readContent } from './contents.ts'
import { type Floor, keepFloor, openFloor } from './free-space.ts'
import { isLocked, withLock } from './lock.ts'
import { formatManifest, type TableParts, wasWhole } from './manifest.ts'
import { fileLabel, isBackupFile, label } from './place.ts'
import { withFileBackup } from './read-file.ts'
import { type BlobRow, partsOf, readBlobs } from './rows.ts'
import { secretName } from './secret.ts'
import { type Taken, takeSnapshot } from './snapshot.ts'

interface WriteOptions extends CopyOptions {
  /** Whether an existing file may be replaced. */
  replace: boolean
}

/** A tar file while it is written, entry by entry: label, rows, contents, manifest. */
function openArchive(path: string, mtime: Date, floor: Floor) {
  const tar = pack()
  let failure: unknown
  const written = pipeline(tar, createWriteStream(path, { mode: 0o600, flush: true })).catch(error => {
    failure = error
  })
  const withPermit = openSemaphore({ atOnce: 1 })
  const add = (name: string, size: number, source: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<void> =>
    withPermit(async () => {
      try {
        await pipeline(source, tar.entry({ name, size, mode: 0o600, mtime }))
      } catch (error) {
        if (error instanceof AppError) throw error
        // If the disk failed, wait for its own error, which says more.
        await new Promise(setImmediate)
        throw failure ?? error
      }
    })
  return {
    addText: (name: string, text: string) => add(name, Buffer.byteLength(text), [Buffer.from(text)]),
    addContent: (store: BlobStore, key: string, content: Content) =>
      add(
        `blobs/${content.sha256.slice(0, 2)}/${content.sha256}`,
        content.size,
        floor.keep(readContent(store, key, content)),
      ),
    end: async () => {
      tar.finalize()
      await written
      if (failure !== undefined) throw failure
    },
    breakOff: async () => {
      tar.destroy()
      await written
    },
  }
}

type Archive = ReturnType<typeof openArchive>

async function addRows(archive: Archive, rows: BlobStore, tables: readonly TableParts[]): Promise<void> {
  const parts = new Map(tables.flatMap(table => table.parts.map(part => [part.sha256, part])))
  for (const part of parts.values()) await archive.addContent(rows, part.sha256, part)
}

/** Thrown when a content failed in the middle of the tar file, which is then useless. */
class SpoiledError extends Error {}

/** Contents that were intact when checked and damaged when copied, by key. */
type Spoiled = Map<string, DamagedError>

/** Reads a content twice. A tar entry cannot be taken back, so the first pass finds what must be left out. */
async function addBlob(archive: Archive, store: BlobStore, spoiled: Spoiled, { key, ...content }: BlobRow) {
  const found = spoiled.get(key)
  if (found !== undefined) throw found
  await checkContent(store, key, content)
  try {
    await archive.addContent(store, key, content)
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    spoiled.set(key, error)
    throw new SpoiledError()
  }
  return 'copied' as const
}

/** The total size of files outside the rows. Counted from the saved rows, so that a damaged table is not read again. */
async function sizeOfContents(rows: BlobStore, tables: TableParts[]): Promise<number> {
  let bytes = 0
  for await (const blobs of readBlobs({ contents: rows }, partsOf({ tables }, 'blobs'))) {
    for (const { size } of blobs) bytes += size
  }
  return bytes
}

/** `draft` is a folder that the caller deletes with all its contents. */
async function writeDraft(deps: Deps, draft: string, path: string, options: WriteOptions) {
  const floor = await openFloor(deps, dirname(draft))
  const rows = keepFloor(await openLocalStore(join(draft, 'rows')), floor)
  const spoiled: Spoiled = new Map()
  let archive: Archive | undefined
  const save = async (tables: TableParts[]): Promise<Copied> => {
    await archive?.breakOff()
    await floor.ask(await sizeOfContents(rows, tables))
    const begun = openArchive(path, new Date(deps.clock.now()), floor)
    archive = begun
    await begun.addText(label, fileLabel)
    await addRows(begun, rows, tables)
    const bring = (blob: BlobRow) => addBlob(begun, deps.store, spoiled, blob)
    try {
      return await saveBlobs(deps.db, { contents: rows }, partsOf({ tables }, 'blobs'), bring, options)
    } catch (error) {
      if (!(error instanceof SpoiledError)) throw error
      return save(tables)
    }
  }
  try {
    const taken = await takeSnapshot(deps, { contents: rows }, save, options)
    const { secret } = taken.secret ?? {}
    if (secret) await archive?.addText(secretName, formatSecret(secret))
    await archive?.addText(`snapshots/${taken.manifest.snapshot}.json`, formatManifest(taken.manifest))
    await archive?.end()
    return taken
  } finally {
    await archive?.breakOff()
  }
}

async function refuseTaken(file: string, replace: boolean): Promise<void> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory())
    throw new AppError('invalid_input', `${file} is a folder: a path that ends in .tar is a file`)
  if (found === undefined || replace) return
  throw new AppError('in_use', `${file} is there already: choose another name, or give --replace`)
}

/** Whether a file holds an intact backup of intact data. Throws when only another filestore or user can tell. */
const isWholeBackup = (file: string, { signal }: CopyOptions): Promise<boolean> =>
  withFileBackup(file, { signal, onBytes: () => undefined }, async ({ manifest, damages, missing }) => {
    return wasWhole(manifest) && damages.size === 0 && missing === 0
  }).catch(error => {
    signal.throwIfAborted()
    const isTold = error instanceof AppError ? error.code !== 'unavailable' : systemCode(error) === undefined
    if (!isTold) throw error
    return false
  })

/** Throws `in_use` when the new backup contains damage and the file that it would replace is intact. */
async function refuseWorse(file: string, { manifest, damage, copied }: Taken, options: WriteOptions): Promise<void> {
  if (!options.replace || wasWhole(manifest) || !(await isWholeBackup(file, options))) return
  const [loss] = copied.lost
  const found = damage.problems[0] ?? (loss === undefined ? '' : `${loss.file} ${loss.reason}`)
  const count = damage.problem_count + copied.lost_count
  const what = `what would replace it has ${count} problem${count === 1 ? '' : 's'} (${found})`
  throw new AppError('in_use', `${file} is a whole backup and stays, for ${what}: give another name for that one`)
}

const draftSuffix = '.unfinished'

/** Removes drafts that killed runs have left next to a file, whatever their names. */
async function removeDrafts(file: string): Promise<void> {
  const folder = dirname(file)
  const names = (await readdir(folder)).filter(name => isBackupFile(name.slice(0, -draftSuffix.length)))
  for (const name of names.filter(candidate => candidate.endsWith(draftSuffix))) {
    const draft = join(folder, name)
    if (!(await isLocked(draft))) continue
    // withLock rejects for a draft in use, this run's own included, and for another user's: those stay.
    await withLock(draft, () => rm(draft, { recursive: true, force: true })).catch(() => undefined)
  }
}

/**
 * Writes a backup into a file, which appears once it is completely on the disk. Throws `in_use` when the file exists,
 * when it is intact and its replacement would not be, or when another process writes it; `invalid_input` for a folder.
 */
export async function writeFileBackup(deps: Deps, file: string, options: WriteOptions) {
  await refuseTaken(file, options.replace)
  const draft = file + draftSuffix
  await makeFolder(draft)
  return withLock(draft, async () => {
    try {
      await removeDrafts(file)
      // Left by a run that was killed.
      await rm(join(draft, 'rows'), { recursive: true, force: true })
      const path = join(draft, 'backup.tar')
      const written = await writeDraft(deps, draft, path, options)
      await refuseWorse(file, written, options)
      await rename(path, file)
      await syncFolder(dirname(file))
      return written
    } finally {
      await rm(draft, { recursive: true, force: true })
    }
  })
}
