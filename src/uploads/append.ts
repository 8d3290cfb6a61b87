/** Appends the bytes of one request to an upload. */
import { createHash } from 'node:crypto'
import { AppError, clientHasGone, systemCode } from '../base/errors.ts'
import type { Appended, BlobStore } from '../blobs/blob-store.ts'
import { openHash } from '../blobs/hash.ts'
import type { Deps } from '../deps.ts'
import { isContent } from '../files/unfinished-uploads.ts'
import type { Addition } from './contract.ts'
import { endLost } from './end.ts'
import type { Hashes, SizedHash } from './hashes.ts'
import { type Hold, locked } from './hold.ts'
import { noUpload, saveUpload, type Upload } from './rows.ts'

interface AppendDeps extends Pick<Deps, 'db' | 'store' | 'linkLimits'> {
  /** The store, which writes no more once free space is low. */
  kept: Pick<BlobStore, 'append'>
  hashes: Hashes
}

const beyondLength = (): AppError =>
  new AppError('file_too_large', 'These bytes go beyond the length that the upload was begun with')

/** 409: the bytes do not go on where the upload ends. */
const otherOffset = ({ received }: Upload): AppError =>
  new AppError('offset_mismatch', `The upload goes on at byte ${received}`)

const otherChecksum = (): AppError =>
  new AppError('checksum_mismatch', 'The bytes are not those of the checksum, so none of them is kept')

/** Throws `offset_mismatch` and `file_too_large` for bytes that cannot be appended. */
export function refuseMisplaced(upload: Upload, { offset, length }: Pick<Addition, 'offset' | 'length'>): void {
  if (offset !== upload.received) throw otherOffset(upload)
  if (offset + (length ?? 0) > upload.length) throw beyondLength()
}

/** Takes the hash of what is there; null if it is to be read again at the end. */
function takeHash({ hashes }: AppendDeps, upload: Upload, { epoch }: Hold): SizedHash | null {
  const { id, received, length } = upload
  const hash = hashes.take(id, received, epoch) ?? (received === 0 ? openHash(length) : null)
  return hash === null ? null : { hash, size: received }
}

/** Counts and hashes the bytes on their way to the store. Throws `file_too_large` for the first one too many. */
async function* watch(
  upload: Upload,
  { offset, chunks }: Addition,
  sized: SizedHash | null,
  check: { update(chunk: Buffer): unknown } | null,
): AsyncGenerator<Buffer> {
  let size = offset
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > upload.length) throw beyondLength()
    check?.update(chunk)
    if (sized !== null) {
      await sized.hash.update(chunk)
      sized.size = size
    }
    yield chunk
  }
}

/** Why bytes that have arrived must not be kept; null if they may. */
function findFault({ checksum }: Addition, digest: Buffer | undefined, broken: unknown): AppError | null {
  if (broken instanceof AppError && broken.code === 'file_too_large') return broken
  if (checksum === null || digest === undefined) return null
  if (broken !== undefined) return clientHasGone()
  return digest.equals(checksum.digest) ? null : otherChecksum()
}

/**
 * Appends bytes to an upload that this request holds; returns it as it is then, `whole` if it is to become a file.
 * Durable when it resolves. What came before the client went away is kept. `expiry` tells when the upload ends once it has
 * so many bytes. `confirm` throws if the sender may no longer upload: the last bytes are then not kept. Throws
 * `offset_mismatch`, `file_too_large`, `checksum_mismatch`, `storage_full`, `locked`, and `not_found` if the upload or its
 * bytes are gone.
 */
export async function append(
  deps: AppendDeps,
  upload: Upload,
  hold: Hold,
  addition: Addition & { expiry: (received: number) => number; confirm: () => Promise<unknown> },
): Promise<Upload> {
  const { db, kept, hashes } = deps
  refuseMisplaced(upload, addition)
  const { id, received, blob_key, store_state } = upload
  if (blob_key === null || (await isContent(db, blob_key))) throw noUpload()
  const endWith = (length: number): number => (length > received ? addition.expiry(length) : upload.expires_at)
  const store = async (changes: Parameters<typeof saveUpload>[3]): Promise<void> => {
    if (!(await saveUpload(db, upload, hold.holder, changes))) throw hold.holder === null ? noUpload() : locked()
  }
  const save = async ({ length, state }: Appended): Promise<Upload> => {
    hold.check()
    // In one step with the last byte: one that has all its bytes and is still open would look like a file.
    const isWhole = length === upload.length && !upload.target.is_explicit
    const changes = {
      received: length,
      store_state: state,
      state: isWhole ? ('whole' as const) : ('open' as const),
      expires_at: endWith(length),
    }
    await store(changes)
    return { ...upload, ...changes }
  }
  const { checksum } = addition
  const sized = takeHash(deps, upload, hold)
  const check = checksum === null ? null : createHash(checksum.algorithm)
  let isKept = false
  try {
    const { broken, ...there } = await kept.append(blob_key, received, watch(upload, addition, sized, check), {
      state: store_state,
      onDurable: async durable => {
        // Of bytes with a checksum all count or none, and the last byte only when none follows.
        if (checksum === null && durable.length < upload.length) return void (await save(durable))
        hold.check()
        // Bytes that do not count yet still put off its end: it must not expire under a slow request.
        await store({ expires_at: endWith(durable.length) })
      },
    })
    const fault = findFault(addition, check?.digest(), broken)
    if (fault !== null) {
      await save({ length: received, state: store_state })
      throw fault
    }
    // Nobody confirms it later: once it is whole it becomes a file, also after a crash.
    if (there.length === upload.length && !upload.target.is_explicit) await addition.confirm()
    const saved = await save(there)
    if (sized?.size === there.length) {
      hashes.keep(id, sized, hold.epoch)
      isKept = true
    }
    if (broken === undefined || there.length === upload.length) return saved
    throw broken instanceof AppError ? broken : clientHasGone()
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
    return endLost(deps, upload)
  } finally {
    if (!isKept) sized?.hash.close()
  }
}
