/** Moves contents between two stores, each content held to its SHA-256 on its way. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { systemCode } from '../../errors.ts'

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

/** The bytes of a key. Throws DamagedError at their end where they are others than expected. */
export async function* readContent(store: BlobStore, key: string, { sha256, size }: Content): AsyncGenerator<Buffer> {
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
export async function checkContent(store: BlobStore, key: string, content: Content): Promise<void> {
  for await (const _chunk of readContent(store, key, content));
}

/** How what may take hours is watched and ended. */
export interface CopyOptions {
  signal: AbortSignal
  /** Told of the bytes of every content that is in its place by now, rows and files alike. */
  onBytes(bytes: number): void
}

interface Side {
  store: BlobStore
  key: string
}

/** `copied` was read and checked, `linked` was not; `kept` was there with the right number of bytes. */
export type Outcome = 'copied' | 'linked' | 'kept'

/** Another disk, another user's file, too many links, or a file system that has none. */
const unlinkable = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

/** False where a link cannot be. Throws DamagedError where the source is no file. */
async function tryLink(from: Side, to: Side): Promise<boolean> {
  const file = from.store.fileOf(from.key)
  if (file === null) return false
  try {
    await to.store.adopt(to.key, file, 'link')
    return true
  } catch (error) {
    if (unlinkable.has(systemCode(error) ?? '')) return false
    throw toDamage(error)
  }
}

/**
 * Gives one store the content that another has, by a link where both are on one disk. Throws DamagedError where the
 * source does not have it whole; then nothing of it is left.
 */
export async function copyContent(from: Side, to: Side, content: Content): Promise<Outcome> {
  const size = await to.store.size(to.key)
  if (size === content.size) return 'kept'
  if (size !== null) await to.store.remove(to.key)
  const sourceSize = await from.store.size(from.key)
  if (sourceSize === null) throw new DamagedError('is missing')
  if (sourceSize !== content.size) throw new DamagedError(`has ${sourceSize} bytes instead of ${content.size}`)
  if (await tryLink(from, to)) return 'linked'
  await to.store.put(to.key, readContent(from.store, from.key, content))
  return 'copied'
}
