/** Brings the bytes of a file on the disk into the store: copied, as a clone of its blocks, or as the very same file. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { AppError, systemCode } from '../../base/errors.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { inlineLimit, newBlobKey, type ReceivedBlob, receiveBlob } from '../../blobs/receive.ts'
import { CommonFailure } from './failures.ts'

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

const noSharing = 'this file system does not share blocks between files'
/** What the system says where none of the files can come in by a mode, and what that means. */
const refusals: Readonly<Record<string, string>> = {
  EXDEV: "the files and the server's bytes must lie on one file system",
  ENOTSUP: noSharing,
  EOPNOTSUPP: noSharing,
  ENOSYS: noSharing,
}

/** Why it cannot be done, with what always can; all else as it is. */
function explain(error: unknown, mode: AdoptionMode): unknown {
  const code = systemCode(error) ?? ''
  const sentenceOf = (reason: string) => `--mode ${mode}: ${reason}; --mode copy always works`
  const reason = refusals[code]
  if (reason !== undefined) return new CommonFailure('invalid_input', sentenceOf(reason), { cause: error })
  if (!['EINVAL', 'EMLINK', 'EPERM'].includes(code)) return error
  return new AppError('invalid_input', sentenceOf('the file system refuses it for this file'), { cause: error })
}

/**
 * Takes in the content of a regular file of this size, hashed as it lies in the store. Whatever the mode, content is copied
 * that is small, for it stands beside its row, or whose store has no files on this machine. Throws `invalid_input` where the file system cannot do what the mode asks,
 * a `CommonFailure` where it can for no file.
 */
export async function adoptBytes(
  store: BlobStore,
  { path, size }: { path: string; size: number },
  mode: AdoptionMode,
  signal: AbortSignal,
): Promise<ReceivedBlob> {
  if (mode === 'copy' || store.local === null || size <= inlineLimit) {
    // A link that took the file's place since it was looked at is not followed.
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    const source = file.createReadStream({ highWaterMark: readSize, signal })
    return receiveBlob(store, source, { limit: Number.MAX_SAFE_INTEGER, expected: size })
  }
  const key = newBlobKey()
  try {
    await store.local.adopt(key, path, mode)
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
