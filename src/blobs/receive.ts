/** Receives a stream: counts, hashes and limits it. Small content stays in memory, larger content goes to the store. */
import { inlineLimit } from '../api/limits.ts'
import { AppError } from '../base/errors.ts'
import { takeRandom } from '../base/random.ts'
import type { BlobStore } from './blob-store.ts'
import { openHash } from './hash.ts'

/** What was received. The bytes are `inline`, or durable in the store under `key`. */
export interface ReceivedBlob {
  key: string
  size: number
  /** Hex. */
  sha256: string
  inline: Buffer | null
}

/** How large an upload may become, and the calls that keep count of its bytes while it arrives. */
export interface Allowance {
  /** The largest file allowed, in bytes. */
  limit: number
  /** Counts received bytes. Throws when there is no room for them; then none of the upload's bytes count any more. */
  take(bytes: number): Promise<void>
  /** Runs `work`, which stores the fully received upload. Afterwards its bytes no longer count. */
  store<T>(work: () => Promise<T>): Promise<T>
  /** The upload's bytes were dropped and no longer count. */
  end(): void
}

/** A new key: 256 random bits, so that nobody knows it before its row exists. */
export const newBlobKey = (): string => takeRandom(32).toString('hex')

export const tooLarge = (limit: number): AppError =>
  new AppError('file_too_large', `File is larger than ${formatLimit(limit)}`)

/** `32MB`, as the limit is shown everywhere: base 1024, without trailing zeros. */
export function formatLimit(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  const step = Math.max(0, Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10)))
  return `${Number((bytes / 1024 ** step).toFixed(2))}${units[step]}`
}

interface Bounds {
  /** The most bytes accepted. */
  limit: number
  /** Called for each chunk as it arrives; when it throws, the upload is refused. */
  take?: (bytes: number) => Promise<void>
  /** The announced number of bytes. Only a large announced size is hashed in a worker thread. */
  expected?: number | null
}

/**
 * Receives a whole stream. Throws `file_too_large` at the first byte beyond `limit`. When it throws, or the source
 * fails, nothing is left in the store.
 */
export async function receiveBlob(
  store: BlobStore,
  source: AsyncIterable<Buffer>,
  { limit, take, expected = null }: Bounds,
): Promise<ReceivedBlob> {
  const key = newBlobKey()
  const hash = openHash(expected)
  let size = 0
  const chunks = source[Symbol.asyncIterator]()

  async function next(): Promise<Buffer | null> {
    const { value, done } = await chunks.next()
    if (done) return null
    size += value.length
    if (size > limit) throw tooLarge(limit)
    await take?.(value.length)
    await hash.update(value)
    return value
  }

  const head: Buffer[] = []
  try {
    while (size <= inlineLimit) {
      const chunk = await next()
      if (chunk === null) return { key, size, sha256: await hash.digest(), inline: joined(head, size) }
      head.push(chunk)
    }
    await store.put(key, rest(head, next))
    const sha256 = await hash.digest().catch(async error => {
      await store.remove(key)
      throw error
    })
    return { key, size, sha256, inline: null }
  } finally {
    hash.close()
    await chunks.return?.()
  }
}

/** Copies chunks to memory of their own: in the memory that small buffers share, one byte may hold 8 KB. */
function joined(chunks: readonly Buffer[], size: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(size)
  let at = 0
  for (const chunk of chunks) at += chunk.copy(bytes, at)
  return bytes
}

async function* rest(head: Buffer[], next: () => Promise<Buffer | null>): AsyncGenerator<Buffer> {
  yield* head
  for (let chunk = await next(); chunk !== null; chunk = await next()) yield chunk
}
