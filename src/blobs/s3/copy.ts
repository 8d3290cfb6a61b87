/** Copies objects inside the store. */
import { day } from '../../base/clock.ts'
import { type S3Client, sourceOf } from './client.ts'
import { openMultipart } from './multipart.ts'
import { headOfObject, ignoreMissing, refuseLateError, removeObject, requireSize, sizeOfObject } from './objects.ts'

/** Bytes that one request copies at most: some stores read and write them all before they answer. */
const mostAtOnce = 256 * 1024 ** 2

/** Copies an object to a key, also to its own: then it is as if it had been written now. Rejects with ENOENT. */
export const copyObject = async (client: S3Client, from: string, to: string): Promise<void> =>
  copyBytes(client, { from, to, size: await sizeOfObject(client, from) })

async function copyBytes(client: S3Client, { from, to, size }: { from: string; to: string; size: number }) {
  const source = { 'x-amz-copy-source': sourceOf(client.address, from) }
  if (size > mostAtOnce) return copyInParts(client, to, { size, source })
  // A copy to itself must change something, which this header stands for.
  const headers = { ...source, 'x-amz-metadata-directive': 'REPLACE' }
  refuseLateError((await client.ask({ method: 'PUT', key: to, headers })).text)
  await requireSize(client, to, size)
}

async function copyInParts(
  client: S3Client,
  to: string,
  { size, source }: { size: number; source: Readonly<Record<string, string>> },
): Promise<void> {
  const upload = await openMultipart(client, to)
  try {
    for (let start = 0; start < size; start += mostAtOnce) {
      const end = Math.min(start + mostAtOnce, size) - 1
      await upload.copy({ ...source, 'x-amz-copy-source-range': `bytes=${start}-${end}` })
    }
    await upload.complete(size)
  } catch (error) {
    await upload.abort()
    throw error
  }
}

/** Moves an object. Until the copy is whole, the bytes are under the first key; after a failure they may be under both. */
export async function moveObject(client: S3Client, from: string, to: string): Promise<void> {
  await copyObject(client, from, to)
  await removeObject(client, from)
}

/**
 * For how long after it was written an object is taken to be as the store got it: all are written with their SHA-256. Bytes
 * that the store has had for longer may have decayed there.
 */
const trustedTime = 7 * day

/**
 * Replaces an object by an equal one, which is then gone. One that the store got with the same bytes lately stays: uploads
 * of known content cost no copies then, and nobody's reading is disturbed. Rejects with ENOENT if `by` is missing.
 */
export async function replaceObject(client: S3Client, key: string, by: string): Promise<void> {
  const [fresh, old] = await Promise.all([headOfObject(client, by), headOfObject(client, key).catch(ignoreMissing)])
  const isEqual = old !== undefined && old.size === fresh.size && old.etag === fresh.etag && old.etag !== ''
  if (!(isEqual && old.age < trustedTime)) await copyBytes(client, { from: by, to: key, size: fresh.size })
  await removeObject(client, by)
}
