/** Brings the bytes of a file on the disk into the store: copied, as a clone of its blocks, or as the very same file. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { inlineLimit, newBlobKey, type ReceivedBlob, receiveBlob } from '../../blobs/receive.ts'
import { AppError, systemCode } from '../../errors.ts'

export type AdoptionMode = 'copy' | 'reflink' | 'link'

/** Bytes of one read, as the store's own. */
const readSize = 1024 ** 2

async function hashBytes(store: BlobStore, key: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await store.read(key)) {
    signal.throwIfAborted()
    hash.update(chunk)
  }
  return hash.digest('hex')
}

/** Why the file system cannot do it; all else as it is. */
function explain(error: unknown, mode: AdoptionMode): unknown {
  if (!['EXDEV', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL', 'ENOSYS', 'EMLINK'].includes(systemCode(error) ?? '')) return error
  const reason =
    mode === 'link'
      ? 'hard links need one file system for both'
      : 'this file system does not share blocks between files'
  return new AppError('invalid_input', `--mode ${mode}: ${reason}; --mode copy always works`, { cause: error })
}

/**
 * The content of a regular file of this size, hashed as it lies in the store. Small content is copied whatever the mode,
 * for it stands beside its row. Throws `invalid_input` where the file system cannot do what the mode asks.
 */
export async function adoptBytes(
  store: BlobStore,
  { path, size }: { path: string; size: number },
  mode: AdoptionMode,
  signal: AbortSignal,
): Promise<ReceivedBlob> {
  if (mode === 'copy' || size <= inlineLimit) {
    // A link that took the file's place since it was looked at is not followed.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const source = file.createReadStream({ highWaterMark: readSize, signal })
    return receiveBlob(store, source, Number.MAX_SAFE_INTEGER)
  }
  const key = newBlobKey()
  try {
    await store.adopt(key, path, mode)
  } catch (error) {
    throw explain(error, mode)
  }
  try {
    const sha256 = await hashBytes(store, key, signal)
    return { key, size: (await store.size(key)) ?? 0, sha256, inline: null }
  } catch (error) {
    await store.remove(key)
    throw error
  }
}
