/** Reads a backup in one tar file: reads the whole file once, then each content at its position. */
import { createHash } from 'node:crypto'
import { constants, createReadStream, read } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { type Extract, extract } from 'tar-stream'
import { AppError, systemCode } from '../../base/errors.ts'
import { mostTextBytes, mostWordsBytes, TooLargeError } from '../../base/read-text.ts'
import { type CopyOptions, DamagedError, type SavedContents } from './contents.ts'
import { type Manifest, parseManifest } from './manifest.ts'
import { openOffsets } from './offsets.ts'
import { fileTitle, label } from './place.ts'
import { partsOf, readRows, toBlobRows } from './rows.ts'
import { type FindKept, keptInFile, secretName } from './secret.ts'

export interface FileBackup {
  manifest: Manifest
  contents: SavedContents
  findSecret: FindKept
  /** What is wrong with each content that does not match its hash. */
  damages: ReadonlyMap<string, string>
  /** How many contents are missing, not counting those that the server had lost before. */
  missing: number
  /** Contents read, rows and files alike, and their bytes. */
  read: { count: number; bytes: number }
}

type Entry = Extract extends AsyncIterable<infer Item> ? Item : never

const readSize = 1024 ** 2
/** Bytes of an entry's header, before its content. */
const headerSize = 512
const contentForm = /^blobs\/([0-9a-f]{2})\/(\1[0-9a-f]{62})$/
const manifestForm = /^snapshots\/([^/]+)\.json$/

// A destroyed stream closes its descriptor despite `autoClose`. By then the number may be another file's, so override
// it.
const readOnly = { read, close: (_fd: number, done: () => void) => done() }

/** Reads a part of the file and leaves it open. */
const readBytes = (file: FileHandle, start: number, end?: number) =>
  createReadStream('', { fd: file.fd, autoClose: false, fs: readOnly, highWaterMark: readSize, start, end })

/** The text of an entry. Throws `TooLargeError` before it reads more than `most` bytes. */
async function readEntry(entry: Entry, most: number): Promise<string> {
  if ((entry.header.size ?? 0) > most) throw new TooLargeError(entry.header.name, most)
  return text(entry)
}

async function hashEntry(entry: Entry, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of entry as AsyncIterable<Buffer>) {
    signal.throwIfAborted()
    hash.update(chunk)
  }
  return hash.digest('hex')
}

/** Bytes without content with which a tar file ends (POSIX, pax: two blocks of zeros). */
const endSize = 1024

/** Throws when the end is missing: then nobody knows what else is. */
async function refuseCut(file: FileHandle): Promise<void> {
  const { size } = await file.stat()
  const end = Buffer.alloc(endSize, 1)
  if (size >= endSize) await file.read(end, 0, endSize, size - endSize)
  if (end.some(byte => byte !== 0)) throw new Error('it has no end')
}

/**
 * The tar file's entries in order; read each to its end. Throws when the file is not a complete tar file, or gives bytes to
 * what is no file: tar-stream never ends those of a folder.
 */
async function* readEntries(file: FileHandle): AsyncGenerator<Entry> {
  const entries = extract()
  const piped = pipeline(readBytes(file, 0), entries)
  piped.catch(() => undefined)
  for await (const entry of entries) {
    const { name, type, size } = entry.header
    const isFile = type === 'file' || type === 'contiguous-file'
    if (!isFile && (size ?? 0) > 0) throw new Error(`${name} has bytes, and is no file`)
    yield entry
  }
  await piped
}

function refuseForeign(path: string, found: string | undefined): void {
  // The label of another version differs in its description of the folder.
  if (found?.startsWith(fileTitle)) return
  const advice = 'where it is the tar of a folder of backups, unpack it and give the folder'
  throw new AppError('invalid_input', `${path} is no backup that filestore wrote into a file: ${advice}`)
}

/** Reads the whole file. Throws when the damage makes its content unknowable. */
async function scan(path: string, file: FileHandle, { signal, onBytes }: CopyOptions) {
  const offsets = openOffsets()
  const damages = new Map<string, string>()
  const read = { count: 0, bytes: 0 }
  let isOurs = false
  let manifest: Manifest | undefined
  let secret: string | null = null
  for await (const entry of readEntries(file)) {
    const { name } = entry.header
    if (!isOurs) {
      refuseForeign(path, name === label ? await readEntry(entry, mostWordsBytes) : undefined)
      isOurs = true
      continue
    }
    const [, snapshot] = manifestForm.exec(name) ?? []
    if (snapshot !== undefined) {
      manifest = parseManifest(snapshot, await readEntry(entry, mostTextBytes))
      continue
    }
    if (name === secretName) {
      secret = await readEntry(entry, mostWordsBytes)
      continue
    }
    const [, , sha256] = contentForm.exec(name) ?? []
    const found = await hashEntry(entry, signal)
    if (sha256 === undefined) continue
    if (found !== sha256) damages.set(sha256, 'has changed')
    const { size } = entry.header
    offsets.add(sha256, { offset: entry.offset + headerSize, size })
    read.count += 1
    read.bytes += size
    onBytes(size)
  }
  if (!isOurs) refuseForeign(path, undefined)
  if (manifest === undefined) throw new Error('it ends before its manifest')
  await refuseCut(file)
  return { manifest, secret, offsets, damages, read }
}

const noContent = () => Object.assign(new Error('the file does not have this content'), { code: 'ENOENT' })

/**
 * Looks up every content by its hash, because one content can be rows and a file at once. Adds parts that hold no rows to
 * `damages`.
 */
async function countMissing(manifest: Manifest, contents: SavedContents, damages: Map<string, string>) {
  const isMissing = async (sha256: string) => (await contents.size(sha256)) === null
  const parts = new Map(manifest.tables.flatMap(table => table.parts.map(part => [part.sha256, part])))
  let [missingParts, missingFiles] = [0, 0]
  for (const sha256 of parts.keys()) if (await isMissing(sha256)) missingParts += 1
  for (const part of partsOf(manifest, 'blobs')) {
    if (damages.has(part.sha256) || (await isMissing(part.sha256))) continue
    const rows = await readRows({ contents }, part).catch(error => {
      if (!(error instanceof DamagedError)) throw error
      damages.set(part.sha256, error.message)
      return []
    })
    for (const { sha256 } of toBlobRows(rows, 'store')) if (await isMissing(sha256)) missingFiles += 1
  }
  return missingParts + Math.max(0, missingFiles - manifest.lost)
}

async function openFileBackup(path: string, file: FileHandle, options: CopyOptions): Promise<FileBackup> {
  const { manifest, secret, offsets, ...found } = await scan(path, file, options).catch(error => {
    options.signal.throwIfAborted()
    if (error instanceof AppError || systemCode(error) !== undefined) throw error
    throw new Error(`${path} is damaged or cut off: ${error.message}`, { cause: error })
  })
  const contents: SavedContents = {
    read: async key => {
      const extent = offsets.find(key)
      if (extent === undefined) throw noContent()
      return readBytes(file, extent.offset, extent.offset + extent.size - 1)
    },
    size: async key => offsets.find(key)?.size ?? null,
    local: null,
  }
  const missing = await countMissing(manifest, contents, found.damages)
  return { manifest, contents, findSecret: keptInFile(secret), ...found, missing }
}

/**
 * Runs `work` on a backup file after reading all of it and checking every SHA-256. Throws `invalid_input` for other
 * files, and when its content is unknowable.
 */
export async function withFileBackup<Result>(
  path: string,
  options: CopyOptions,
  work: (backup: FileBackup) => Promise<Result>,
): Promise<Result> {
  // Without O_NONBLOCK, opening a pipe would wait for a writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(error => {
    if (systemCode(error) !== 'ENOENT') throw error
    throw new AppError('invalid_input', `There is no file ${path}`, { cause: error })
  })
  try {
    if (!(await file.stat()).isFile()) throw new AppError('invalid_input', `${path} is no file`)
    return await work(await openFileBackup(path, file, options))
  } finally {
    await file.close()
  }
}
