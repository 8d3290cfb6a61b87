/** Writes objects of any length without a temporary file: in one request, or in equal parts. */

import { equalParts } from '../equal-parts.ts'
import { cleanUp, type S3Client } from './client.ts'
import { type Multipart, openMultipart } from './multipart.ts'
import { etagOf } from './objects.ts'
import type { OpenSending } from './sending.ts'

/** Bytes of the smallest part: up to this size an object is sent in one request. */
const leastPart = 8 * 1024 ** 2
/** The most parts of an object (Amazon S3 User Guide, "Multipart upload limits"). */
const mostParts = 10_000

/** The size of the parts in which objects of at most `largest` bytes are sent. */
export const partSizeFor = (largest: number): number => Math.max(leastPart, Math.ceil(largest / mostParts))

/** Writes an object; when it rejects, nothing is under the key. */
export async function putObject(
  client: S3Client,
  key: string,
  source: AsyncIterable<Buffer>,
  { partSize, openSending }: { partSize: number; openSending: OpenSending },
): Promise<void> {
  const parts = equalParts(source, partSize)
  try {
    const first = (await parts.next()).value ?? Buffer.alloc(0)
    if (first.length < partSize) return await putWhole(client, key, first)
    const upload = await openMultipart(client, key)
    await putParts(upload, openSending(upload), first, parts)
  } finally {
    await parts.return(undefined)
  }
}

async function putWhole(client: S3Client, key: string, body: Buffer): Promise<void> {
  try {
    etagOf((await client.ask({ method: 'PUT', key, body })).headers)
  } catch (error) {
    // A request without an answer may have been carried out.
    await client.ask({ method: 'DELETE', key, ...cleanUp }).catch(() => undefined)
    throw error
  }
}

async function putParts(
  upload: Multipart,
  { put, settle }: ReturnType<OpenSending>,
  first: Buffer,
  rest: AsyncIterable<Buffer>,
): Promise<void> {
  try {
    await put(first)
    let size = first.length
    for await (const part of rest) {
      size += part.length
      await put(part)
    }
    await settle()
    await upload.complete(size)
  } catch (error) {
    await settle().catch(() => undefined)
    await upload.abort()
    throw error
  }
}
