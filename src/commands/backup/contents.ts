/** Copies contents between two stores, and verifies each by its SHA-256. */
import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { systemCode } from '../../base/errors.ts'
import { type BlobStore, type ByteRange, hexForm, type LocalFiles } from '../../blobs/blob-store.ts'
import { newBlobKey } from '../../blobs/receive.ts'

export interface Content {
  /** Hex. */
  sha256: string
  /** Bytes. */
  size: number
}

/** A store lacks a content, or has it damaged; the message says how. */
export class DamagedError extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause })
    this.name = 'DamagedError'
  }
}

/** Errors about a single content that leave others readable: missing, a planted link, a bad sector. */
const damages: Readonly<Record<string, string>> = { ENOENT: 'is missing', ELOOP: 'is a link', EIO: 'cannot be read' }

function toDamage(error: unknown): unknown {
  const what = damages[systemCode(error) ?? '']
  return what === undefined ? error : new DamagedError(what, error)
}

/** A source of contents: a store, or a backup in one file. */
export interface SavedContents extends Pick<BlobStore, 'read' | 'size'> {
  readonly local: Pick<LocalFiles, 'fileOf'> | null
}

/**
 * Reads the bytes of a key. Throws DamagedError at their end when they are not the expected ones; of a thumbnail no hash is
 * known (null).
 */
export async function* readContent(
  store: SavedContents,
  key: string,
  { sha256, size }: Pick<Content, 'size'> & { sha256: string | null },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let count = 0
  try {
    // A store's object is written anew where somebody removes it while this backup keeps it.
    const readAgain = (range: ByteRange) => store.read(key, range)
    const source: Readable = await store.read(key, undefined, { readAgain })
    for await (const chunk of source as AsyncIterable<Buffer>) {
      hash.update(chunk)
      count += chunk.length
      yield chunk
    }
  } catch (error) {
    throw toDamage(error)
  }
  if (count !== size) throw new DamagedError(`has ${count} bytes instead of ${size}`)
  if (sha256 !== null && hash.digest('hex') !== sha256) throw new DamagedError('has changed')
}

/** Reads the bytes of a key to the end. Throws as `readContent`. */
export async function checkContent(store: SavedContents, key: string, content: Content): Promise<void> {
  for await (const _chunk of readContent(store, key, content));
}

/** Whether all bytes of a key are present and intact. */
export const isWhole = (store: SavedContents, key: string, content: Content): Promise<boolean> =>
  checkContent(store, key, content).then(
    () => true,
    error => {
      if (error instanceof DamagedError) return false
      throw error
    },
  )

/** Progress and cancellation of work that may take hours. */
export interface CopyOptions {
  signal: AbortSignal
  /** Called with the bytes of every content that is in place, rows and files alike. */
  onBytes(bytes: number): void
}

interface Source {
  store: SavedContents
  key: string
}

interface Target {
  store: BlobStore
  key: string
}

/** `reflink` shares blocks until one of the files changes; `link` makes both the same file. */
export type Sharing = 'reflink' | 'link'

/**
 * `copied` and `reflinked` contents were read and checked, `linked` ones were not; `kept` was there with the right
 * size.
 */
export type Outcome = 'copied' | 'reflinked' | 'linked' | 'kept'

/**
 * Another disk or user, too many links, a file system without the feature, data too new to be shared, or bytes that are
 * still in the store that they move from.
 */
const unsharable = new Set([
  'ENOENT',
  ...['EXDEV', 'EPERM', 'EMLINK', 'EINVAL', 'ENOTTY', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'],
  ...['EAGAIN', 'EBUSY'],
])

/**
 * Shares the source's file with the target. Returns false when that is impossible, for example because one of the
 * stores is not local. Throws DamagedError when the source is no file.
 */
async function tryAdopt(from: Source, to: Target, sharing: Sharing): Promise<boolean> {
  const [source, target] = [from.store.local, to.store.local]
  if (source === null || target === null) return false
  try {
    await target.adopt(to.key, source.fileOf(from.key), sharing)
    return true
  } catch (error) {
    if (unsharable.has(systemCode(error) ?? '')) return false
    throw toDamage(error)
  }
}

/** Whether both are the same file because of an earlier `link`. */
async function isSameFile(from: Source, to: Target): Promise<boolean> {
  const [source, target] = [from.store.local, to.store.local]
  if (source === null || target === null) return false
  const made = await lstat(target.fileOf(to.key))
  if (made.nlink === 1) return false
  const given = await lstat(source.fileOf(from.key)).catch(() => undefined)
  return given?.ino === made.ino && given.dev === made.dev
}

/** Checks the adopted content, and removes it from the target if it is damaged. */
async function isAdopted({ store, key }: Target, content: Content): Promise<boolean> {
  try {
    await checkContent(store, key, content)
    return true
  } catch (error) {
    await store.remove(key)
    if (error instanceof DamagedError) return false
    throw error
  }
}

/** A damaged clone is copied instead: the copy reads the source itself, and reports whether that is damaged. */
async function share(from: Source, to: Target, content: Content, sharing: Sharing): Promise<Outcome> {
  // A pipe or a link may stand in its place, which holds no content and would refuse the new one.
  await to.store.remove(to.key)
  if (await tryAdopt(from, to, sharing)) {
    if (sharing === 'link') return 'linked'
    if (await isAdopted(to, content)) return 'reflinked'
  }
  await to.store.put(to.key, readContent(from.store, from.key, content))
  return 'copied'
}

/** Writes the replacement under a draft key first; the old bytes stay until it is on the disk. */
async function replace(from: Source, to: Target, content: Content, sharing: Sharing): Promise<Outcome> {
  const draft = { store: to.store, key: to.key.slice(0, 2) + newBlobKey().slice(2) }
  try {
    const outcome = await share(from, draft, content, sharing)
    await to.store.replace(to.key, draft.key)
    return outcome
  } finally {
    await to.store.remove(draft.key)
  }
}

/**
 * Copies a content to another store: a reflink when the file system allows it, else a copy. An earlier hard link
 * between the two is broken up, unless links are requested. Throws DamagedError when the source is damaged; the target
 * then has none of it, unless it had it intact.
 */
export async function copyContent(from: Source, to: Target, content: Content, sharing: Sharing): Promise<Outcome> {
  // A malformed key comes from a damaged row. Report it here, so that other contents can still be copied.
  if (![from.key, to.key].every(key => hexForm.test(key))) throw new DamagedError('has a row that leads nowhere')
  const size = await to.store.size(to.key)
  if (size === content.size && (sharing === 'link' || !(await isSameFile(from, to)))) return 'kept'
  try {
    const sourceSize = await from.store.size(from.key)
    if (sourceSize === null) throw new DamagedError('is missing')
    if (sourceSize !== content.size) throw new DamagedError(`has ${sourceSize} bytes instead of ${content.size}`)
    return await (size === null ? share : replace)(from, to, content, sharing)
  } catch (error) {
    if (!(error instanceof DamagedError) || size === null) throw error
    if (await isWhole(to.store, to.key, content)) return 'kept'
    await to.store.remove(to.key)
    throw error
  }
}
