/** Brings the bytes of a local file into the store: as a copy, as a reflink, or as a hard link to the same file. */

import { createHash } from 'node:crypto'
import { type FileHandle, lstat, rm } from 'node:fs/promises'
import { inlineLimit } from '../../api/limits.ts'
import { AppError, systemCode } from '../../base/errors.ts'
import type { BlobStore, LocalFiles } from '../../blobs/blob-store.ts'
import { readSizeFor } from '../../blobs/local-access.ts'
import { newBlobKey, type ReceivedBlob, receiveBlob } from '../../blobs/receive.ts'
import { CommonFailure } from './failures.ts'
import { openUnlinked, pathOfOpen, replaced } from './open-unlinked.ts'

export type AdoptionMode = 'copy' | 'reflink' | 'link'

async function hashBytes(store: BlobStore, key: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of await store.read(key)) {
    signal.throwIfAborted()
    hash.update(chunk)
  }
  return hash.digest('hex')
}

const noSharing = 'this file system does not share blocks between files'
/** System errors that mean that a mode works for none of the files, each with an explanation. */
const refusals: Readonly<Record<string, string>> = {
  EXDEV: "the files and the server's bytes must lie on one file system",
  ENOTSUP: noSharing,
  EOPNOTSUPP: noSharing,
  ENOSYS: noSharing,
}

/** Adds an explanation and the mode that always works; returns other errors unchanged. */
function explain(error: unknown, mode: AdoptionMode): unknown {
  const code = systemCode(error) ?? ''
  const sentenceOf = (reason: string) => `--mode ${mode}: ${reason}; --mode copy always works`
  const reason = refusals[code]
  if (reason !== undefined) return new CommonFailure('invalid_input', sentenceOf(reason), { cause: error })
  if (!['EINVAL', 'EMLINK', 'EPERM'].includes(code)) return error
  return new AppError('invalid_input', sentenceOf('the file system refuses it for this file'), { cause: error })
}

/** Adopts the file that is open. A link can be made of a path alone, which may lead elsewhere by then. */
async function adoptFile(store: LocalFiles, key: string, file: FileHandle, path: string, mode: 'reflink' | 'link') {
  if (mode === 'reflink') return store.adopt(key, pathOfOpen(file, path), mode)
  await store.adopt(key, path, mode)
  const [opened, adopted] = await Promise.all([file.stat(), lstat(store.fileOf(key))])
  if (opened.ino === adopted.ino && opened.dev === adopted.dev) return
  await rm(store.fileOf(key), { force: true })
  throw replaced()
}

/**
 * Adopts the content of a regular file of this size, and hashes it as it is in the store. Small content, which is
 * stored beside its row, and content for a store that is not local is always copied. Throws `invalid_input` when the
 * file system does not support the mode, as a `CommonFailure` when that affects every file.
 */
export async function adoptBytes(
  store: BlobStore,
  { path, size }: { path: string; size: number },
  mode: AdoptionMode,
  signal: AbortSignal,
): Promise<ReceivedBlob> {
  const file = await openUnlinked(path)
  if (mode === 'copy' || store.local === null || size <= inlineLimit) {
    const source = file.createReadStream({ highWaterMark: readSizeFor(size), signal })
    return receiveBlob(store, source, { limit: Number.MAX_SAFE_INTEGER, expected: size })
  }
  const key = newBlobKey()
  try {
    await adoptFile(store.local, key, file, path, mode)
  } catch (error) {
    throw explain(error, mode)
  } finally {
    await file.close()
  }
  try {
    const sha256 = await hashBytes(store, key, signal)
    return { key, size: (await store.size(key)) ?? 0, sha256, inline: null }
  } catch (error) {
    await store.remove(key)
    throw error
  }
}
