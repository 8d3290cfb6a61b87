/** Verifies bytes by reading all of them. */
import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { systemCode } from '../base/errors.ts'

/** Errors of bytes that are missing, behind a link, or on a bad sector. */
const losses = ['ENOENT', 'ELOOP', 'EIO']

/** See `BlobStore.verify`. */
export async function verifyByReading(
  open: () => Promise<Readable>,
  { sha256 }: { sha256: string },
): Promise<'whole' | 'damaged'> {
  const hash = createHash('sha256')
  try {
    await pipeline(await open(), hash)
  } catch (error) {
    if (losses.includes(systemCode(error) ?? '')) return 'damaged'
    throw error
  }
  return hash.digest('hex') === sha256 ? 'whole' : 'damaged'
}
