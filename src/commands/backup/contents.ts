/** Moves contents between two stores, each content held to its SHA-256 on its way. */
import { createHash } from 'node:crypto'
import { lstat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { systemCode } from '../../base/errors.ts'
import { type BlobStore, hexForm, type LocalFiles } from '../../blobs/blob-store.ts'
import { newBlobKey } from '../../blobs/receive.ts'

export interface Content {
  /** Hex. */
  sha256: string
  /** Bytes. */
  size: number
}

/** Content that its store does not have as it should; the sentence says in which way. */
export class DamagedError extends Error {
  constructor(what: string, cause?: unknown) {
    super(what, { cause })
    this.name = 'DamagedError'
  }
}

/** What reading one content may fail with while others can be read: nothing there, a planted link, a bad sector. */
const damages: Readonly<Record<string, string>> = { ENOENT: 'is missing', ELOOP: 'is a link', EIO: 'cannot be read' }

function toDamage(error: unknown): unknown {
  const what = damages[systemCode(error) ?? '']
  return what === undefined ? error : new DamagedError(what, error)
}

/** What contents are read from: a store, or a backup in one file. */
export interface SavedContents extends Pick<BlobStore, 'read' | 'size'> {
  readonly local: Pick<LocalFiles, 'fileOf'> | null
}

/** The bytes of a key. Throws DamagedError at their end where they are others than expected. */
export async function* readContent(
  store: SavedContents,
  key: string,
  { sha256, size }: Content,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let count = 0
  try {
    const source: Readable = await store.read(key)
    for await (const chunk of source as AsyncIterable<Buffer>) {
      hash.update(chunk)
      count += chunk.length
      yield chunk
    }
  } catch (error) {
    throw toDamage(error)
  }
  if (count !== size) throw new DamagedError(`has ${count} bytes instead of ${size}`)
  if (hash.digest('hex') !== sha256) throw new DamagedError('has changed')
}

/** Reads the bytes of a key to their end. Throws as `readContent`. */
export async function checkContent(store: SavedContents, key: string, content: Content): Promise<void> {
  for await (const _chunk of readContent(store, key, content));
}

/** Whether all bytes of a key are there as they should be. */
export const isWhole = (store: SavedContents, key: string, content: Content): Promise<boolean> =>
  checkContent(store, key, content).then(
    () => true,
    error => {
      if (error instanceof DamagedError) return false
      throw error
    },
  )

/** How what may take hours is watched and ended. */
export interface CopyOptions {
  signal: AbortSignal
  /** Told of the bytes of every content that is in its place by now, rows and files alike. */
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

/** `reflink` shares blocks until one of the two files changes; `link` makes both the very same file. */
export type Sharing = 'reflink' | 'link'

/** `copied` and `reflinked` were read and checked, `linked` was not; `kept` was there with the right number of bytes. */
export type Outcome = 'copied' | 'reflinked' | 'linked' | 'kept'

/** Another disk, another user's file, too many links, a file system that shares nothing, or nothing that is new. */
const unsharable = new Set([
  ...['EXDEV', 'EPERM', 'EMLINK', 'EINVAL', 'ENOTTY', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'],
  ...['EAGAIN', 'EBUSY'],
])

/**
 * Shares the source's file with the target. False where nothing can be shared, as where one of the two stores has no files
 * on this machine. Throws DamagedError where the source is no file.
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

/** Whether both are the very same file, which `link` has made them. */
async function isSameFile(from: Source, to: Target): Promise<boolean> {
  const [source, target] = [from.store.local, to.store.local]
  if (source === null || target === null) return false
  const made = await lstat(target.fileOf(to.key))
  if (made.nlink === 1) return false
  const given = await lstat(source.fileOf(from.key)).catch(() => undefined)
  return given?.ino === made.ino && given.dev === made.dev
}

/** Whether the target has what was adopted, or else nothing of it. */
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

/** What a clone lacks need not be the source's fault: a copy reads the source itself, and tells. */
async function share(from: Source, to: Target, content: Content, sharing: Sharing): Promise<Outcome> {
  if (await tryAdopt(from, to, sharing)) {
    if (sharing === 'link') return 'linked'
    if (await isAdopted(to, content)) return 'reflinked'
  }
  await to.store.put(to.key, readContent(from.store, from.key, content))
  return 'copied'
}

/** Nothing under the key is touched before all that takes its place is on the disk. */
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
 * Gives one store the content that another has: by sharing where the file system can, else as a copy. What an earlier
 * link has made one file of both is parted, unless links are asked for. Throws DamagedError where the source does not
 * have it whole; then nothing of it is left, unless the target has it whole.
 */
export async function copyContent(from: Source, to: Target, content: Content, sharing: Sharing): Promise<Outcome> {
  // A damaged row's: no store takes it, and others can be brought.
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
